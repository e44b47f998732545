package giveback

import (
	_ "embed"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/taken"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
)

//go:embed doc.go
var doc string

// Operator gives back what a function took, before a way out that fails.
var Operator = &mutate.Operator{
	Name: "giveback",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 4, evidence.Blocked: 4, evidence.Timeout: 4, evidence.TestFailure: 3,
		evidence.Race: 0.1, evidence.Panic: 0.2,
	},
	Faults:   []evidence.Fault{evidence.NotGivenBack, evidence.SenderAlone, evidence.ReceiverAlone},
	Needs:    "way out that fails without giving back what the function took, as others give it back",
	Edits:    edits,
	Apply:    apply,
	Together: together,
}

// Forms.
const (
	exit = "exit"
	word = "word"
)

func edits(fn *mutate.Function) []mutate.Edit {
	all, keys := editsOf(fn)
	several := severally(fn)
	for i := range all {
		if several[keys[i]] > 1 {
			all[i].Doubt(0.8) // all of them at once are likelier
		}
	}
	return all
}

// together lists, for each resource that several ways out lose, the edit of all of them.
func together(w *mutate.Whole) (all []mutate.Edit) {
	var order []string // of the source
	parts := make(map[string][]mutate.Edit)
	for _, fn := range w.All() {
		edits, keys := editsOf(fn)
		for i, e := range edits {
			if parts[keys[i]] = append(parts[keys[i]], e); len(parts[keys[i]]) == 2 {
				order = append(order, keys[i])
			}
		}
	}
	for _, key := range order {
		all = append(all, mutate.Composite("giveback", parts[key]...))
	}
	return all
}

// editsOf are those of one function, with the keys of what they give back.
func editsOf(fn *mutate.Function) (all []mutate.Edit, keys []string) {
	for _, l := range losses(fn) {
		if !scope.Means(fn, l.Of, l.At.Pos()) {
			continue
		}
		e := fn.NewEdit("giveback", l.At, l.At)
		e.Form, e.Expr, e.Sure, e.Note = exit, l.Give, true, "what was taken is given back"
		if l.After {
			e.Count = 1
		}
		if l.Word {
			e.Form, e.Note = word, "as elsewhere where nobody waits any more"
		}
		if heat, _ := fn.Narrowing.HeatAt(l.Take.Pos()); heat > e.Heat {
			e.Heat = heat
		}
		all, keys = append(all, e), append(keys, l.Key)
	}
	return all, keys
}

// severally counts the ways out that lose what is taken from one place.
func severally(fn *mutate.Function) map[string]int {
	type countsOf struct{ p *analysis.Program }
	return mutate.Once(fn, countsOf{fn.Program}, func() map[string]int {
		n := make(map[string]int)
		for _, l := range taken.Losses(fn.Program.Packages) {
			n[l.Key]++
		}
		return n
	})
}

// losses are those of a function. They are found for the whole program at once.
func losses(fn *mutate.Function) []taken.Loss {
	type lossesOf struct{ p *analysis.Program }
	byName := mutate.Once(fn, lossesOf{fn.Program}, func() map[string][]taken.Loss {
		found := make(map[string][]taken.Loss)
		for _, l := range taken.Losses(fn.Program.Packages) {
			found[l.File.Rel+" "+l.Func] = append(found[l.File.Rel+" "+l.Func], l)
		}
		return found
	})
	return byName[fn.File.Rel+" "+fn.Name]
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	at := m.Stmt(e.File, e.Node)
	if at == nil {
		return mutate.Refuse(e, "another edit removed the way out")
	}
	return m.InsertSnippet(e.File, at, e.Count == 1, e.Expr)
}
