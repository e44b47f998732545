package renew

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis"
)

// An Emptied is a place that empties a variable or field whose memory the same function gives away.
type Emptied struct {
	File  string // module-relative
	Pos   token.Pos
	Func  string
	Owner string   // the variable
	Text  string   // as it stands there: "b.items"
	In    []string // variables whose elements refer to it
}

// EmptiedGiven lists such places of a program.
func EmptiedGiven(program *analysis.Program) (all []Emptied) {
	for _, m := range memories(program) {
		var in []string
		for _, v := range m.in {
			in = append(in, v.Name())
		}
		for _, p := range m.emptied {
			if slices.ContainsFunc(m.given, func(g gift) bool { return g.decl == p.decl }) {
				all = append(all, Emptied{p.file.Rel, p.stmt.Pos(), p.function(), m.variable.Name(), text(ast.Unparen(p.variable)), in})
			}
		}
	}
	return all
}
