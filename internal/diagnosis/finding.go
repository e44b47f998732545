package diagnosis

import (
	"strings"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

// A Finding is a fault that was found in a program.
type Finding struct {
	Fault    evidence.Fault
	Places   []Place // where it may be mended, the likeliest first
	Variable string  // that it is about, as edits name it: "Account.amount"; "": not known
	Lock     string  // the key of the lock that guards the variable; "": none is known
	Says     string  // one sentence, without a full stop; "": somebody else has said it
}

// A Place is a line of the original in a declared function.
type Place struct {
	File string // relative to the module
	Line int
	Func string // as [mutate.Edit.Func] has it
}

// has reports whether an edit is in the function of the place, or in a literal in it.
func (p Place) has(e *mutate.Edit) bool {
	return p.Func != "" && p.File == e.File && (p.Func == e.Func || strings.HasPrefix(e.Func, p.Func+"."))
}
