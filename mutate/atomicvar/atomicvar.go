package atomicvar

import (
	_ "embed"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator makes a variable atomic.
var Operator = &mutate.Operator{
	Name: "atomicvar",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 4, evidence.TestFailure: 2, evidence.Panic: 1.5, evidence.Timeout: 1,
		evidence.Deadlock: 0.2, evidence.Blocked: 0.3,
	},
	Faults:   []evidence.Fault{evidence.DataRace},
	Needs:    "shared flag, counter or pointer all uses of which an atomic type could stand for",
	Apply:    apply,
	Together: together,
}

// guardedDiscount is what it takes off the heat of a variable that has a lock
// around some of its uses: the others should have it, too. Guessed.
const guardedDiscount = 0.5

// together lists one edit for each shared variable that can be made atomic, and
// those of variables that belong together.
func together(w *mutate.Whole) []mutate.Edit {
	findings := w.Narrowing.Findings()
	var out []mutate.Edit
	for _, f := range findings {
		v, ok := f.Object.(*types.Var)
		if !ok {
			continue
		}
		a := mutate.Once(w, surveyed{v.Origin()}, func() *atomic {
			if a, ok := survey(w.Program, v); ok && editable(w, a) {
				return a
			}
			return nil
		})
		if a == nil {
			continue
		}
		if e, ok := edit(w, a, f.Name); ok {
			out = append(out, e)
		}
	}
	return append(out, siblings(out)...)
}

// surveyed is the key of what is known of a variable; see mutate.Once.
type surveyed struct{ v *types.Var }

// siblings lists composite edits: all fields of a struct, all variables of a
// function or of a file, which are often counted together.
func siblings(edits []mutate.Edit) []mutate.Edit {
	type owner struct{ file, name string }
	var owners []owner // in the order of the source
	parts := make(map[owner][]mutate.Edit)
	for _, e := range edits {
		o := owner{file: e.File}
		if i := strings.LastIndex(e.Vars[0], "."); i >= 0 {
			o.name = e.Vars[0][:i]
		}
		if parts[o] == nil {
			owners = append(owners, o)
		}
		parts[o] = append(parts[o], e)
	}
	var out []mutate.Edit
	for _, o := range owners {
		if n := len(parts[o]); n > 1 && n <= maxParts {
			out = append(out, mutate.Composite("atomicvar", parts[o]...))
		}
	}
	return out
}

// maxParts is how many variables are made atomic by one edit. Guessed: a lock
// for so many is the shorter fix.
const maxParts = 6

func editable(w *mutate.Whole, a *atomic) bool {
	return w.Editable(a.file) && !slices.ContainsFunc(a.uses, func(u use) bool { return !w.Editable(u.file) })
}

// edit is placed at the declaration and has the heat of the hottest use.
func edit(w *mutate.Whole, a *atomic, name string) (e mutate.Edit, ok bool) {
	e = mutate.Edit{
		Operator: "atomicvar", File: a.file.Rel, Line: line(w, a.ident.Pos()),
		Expr: "atomic." + a.kind.name, Vars: []string{name},
	}
	if e.Node, ok = w.ID(a.file, a.ident); !ok {
		return e, false
	}
	hottest, guarded, used, writes := -1.0, 0, 0, false
	for _, u := range a.uses {
		writes = writes || u.does != load && u.does != initial
		heat := w.Narrowing.Heat(u.file.Name, line(w, u.expr.Pos()))
		fn := w.At(u.file, u.expr)
		if fn == nil {
			continue
		}
		used++
		if at := mutate.Innermost(fn.Statements(), u.expr); at.Stmt != nil && len(fn.HeldAt(at.Stmt)) > 0 {
			guarded++
		}
		if heat > hottest {
			hottest, e.Func = heat, fn.Name
		}
	}
	if !writes || used == 0 || guarded == used {
		return e, false
	}
	e.Heat = max(hottest, 0)
	if guarded > 0 {
		e.Doubt(guardedDiscount)
	}
	return e, true
}
