package stillcurrent

import (
	_ "embed"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator compares what a timer was made for with what is there when it has fired.
var Operator = &mutate.Operator{
	Name: "stillcurrent",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.TestFailure: 6, evidence.Panic: 4, evidence.Blocked: 2, evidence.Timeout: 2,
		evidence.Race: 0.5, evidence.Deadlock: 0.3,
	},
	Faults: []evidence.Fault{evidence.CheckThenAct},
	Needs:  "callback of a timer that acts on what may belong to a successor",
	Edits:  edits,
	Apply:  apply,
}

// Forms of the edit.
const (
	replaced   = "replaced"
	deadline   = "deadline"
	generation = "generation"
	compared   = "timer"
)

// A way is how an edit of one form is made.
type way interface {
	// functions are those concerned: the edit is as hot as the hottest.
	functions() []*mutate.Function
	make(m *mutate.Mutation, e mutate.Edit) error
}

// ways are the forms with how likely each is to be what is missing, the likeliest first.
var ways = []struct {
	form   string
	belief float64
	plan   func(a *arming) (w way, doubt float64, ok bool)
}{
	{replaced, 1, planReplaced},
	{compared, 1, planTimer},
	{deadline, 0.9, planDeadline},
	{generation, 0.8, planGeneration},
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, a := range armings(fn) {
		if !a.first() {
			continue // the edit of the first has the others
		}
		for _, form := range ways {
			w, doubt, ok := form.plan(a)
			if !ok {
				continue
			}
			e := fn.NewEdit("stillcurrent", a.st.Stmt, a.st.Stmt)
			e.Form, e.Other, e.Note = form.form, fn.ID(fn.Node), note(form.form)
			e.Reach = 0 // the race, if any, is not in the statement
			for _, f := range w.functions() {
				e.Heat = max(e.Heat, nearby*fn.Narrowing.HottestIn(f))
			}
			e.Doubt(form.belief * doubt)
			out = append(out, e)
		}
	}
	return out
}

// nearby is what an edit has of the heat of the functions that it changes.
const nearby = 0.95

func note(form string) string {
	switch form {
	case deadline:
		return "it has got more time since the timer fired, or has gone"
	case generation:
		return "the timer was stopped or replaced after it had fired"
	case compared:
		return "another timer has taken the place of this one"
	}
	return "the timer was made for one that has gone or was replaced"
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Other)
	if fn == nil {
		return mutate.Refuse(e, "there is no such function")
	}
	for _, a := range armings(fn) {
		if fn.ID(a.st.Stmt) != e.Node {
			continue
		}
		for _, form := range ways {
			if form.form != e.Form {
				continue
			}
			if w, _, ok := form.plan(a); ok {
				return w.make(m, e)
			}
		}
	}
	return mutate.Refuse(e, "no timer is made here that ends what may be another one's")
}
