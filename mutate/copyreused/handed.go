package copyreused

import (
	"go/token"
	"slices"

	"mendel/analysis"
	"mendel/mutate/internal/lending"
)

// A Handed is a place of a function at which it hands over memory that its owner, a pool or a
// buffer, uses again.
type Handed struct {
	File  string // module-relative
	Pos   token.Pos
	Func  string
	Owner string
	Why   string // "b goes back to buffers"
}

// HandedOver lists such places of a program.
func HandedOver(program *analysis.Program) (all []Handed) {
	for _, l := range leaks(program, lending.Survey(program)) {
		for _, p := range l.places {
			all = append(all, Handed{p.file.Rel, p.expr.Pos(), p.function, l.owner.Name(), p.lender.Why})
		}
	}
	return slices.Clip(all)
}
