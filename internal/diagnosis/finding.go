package diagnosis

import (
	"fmt"
	"strings"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

// A Finding is a fault that was found in a program.
type Finding struct {
	Fault     evidence.Fault `json:"fault"`
	Places    []Place        `json:"places"`             // where it may be mended, the likeliest first
	Variable  string         `json:"variable,omitempty"` // that it is about, as edits name it: "Account.amount"; "": not known
	Lock      string         `json:"lock,omitempty"`     // the key of the lock that guards the variable; "": none is known
	Says      string         `json:"says"`               // one sentence, without a full stop
	Certainty Certainty      `json:"certainty"`
	// Declined are operators that mend such a fault and make no edit at the places; nil: nobody
	// has asked them. See [Declined].
	Declined []mutate.Decline `json:"declined,omitempty"`
}

// String is the finding in words: its name, how certain it is, and its sentence.
func (f Finding) String() string { return fmt.Sprintf("%s (%s): %s", f.Fault, f.Certainty, f.Says) }

// Certainty is how much a finding has to say for itself.
type Certainty string

// Certainties, the best first.
const (
	Shown    Certainty = "shown"    // the failure itself shows it: who holds the lock that is waited for
	Likely   Certainty = "likely"   // by what most uses do, or most executions that fail and few that pass
	Possible Certainty = "possible" // it would explain the failure, and others would, too
)

// A Place is a line of the original in a declared function.
type Place struct {
	File string `json:"file"` // relative to the module
	Line int    `json:"line"`
	Func string `json:"function"` // as [mutate.Edit.Func] has it
}

// has reports whether an edit is in the function of the place, or in a literal in it.
func (p Place) has(e *mutate.Edit) bool {
	return p.Func != "" && p.File == e.File && (p.Func == e.Func || strings.HasPrefix(e.Func, p.Func+"."))
}
