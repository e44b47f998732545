package selectdone

import (
	_ "embed"
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/chanwait"
)

//go:embed doc.go
var doc string

// Operator lets channel operations be given up for a signal in scope.
var Operator = &mutate.Operator{
	Name: "selectdone",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 3, evidence.Blocked: 4, evidence.Timeout: 3,
		evidence.Race: 0.2, evidence.Panic: 0.3, evidence.TestFailure: 0.4,
	},
	Faults: []evidence.Fault{evidence.SenderAlone, evidence.ReceiverAlone},
	Needs:  "wait at a channel, with a signal in scope that ends it",
	Edits:  edits,
	Apply:  apply,
}

// less is how much colder each further edit of an operation is; chosen, not measured.
const less = 0.98

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, op := range slices.Concat(chanwait.Ops(fn), chanwait.Sleeps(fn)) {
		if !chanwait.Can(fn, op) {
			fn.Decline(op.At, "the operation cannot be a case of a select: its value is used in a larger statement, or what follows needs it")
			continue
		}
		heat, seen := op.Heat(fn)
		belief, group := 1.0, chanwait.Group(seen)
		ends := chanwait.Ends(fn, op)
		if len(ends) == 0 {
			fn.Decline(op.At, "no signal that could end the wait is in scope: no context, and no channel that is closed at an end")
		}
		for _, s := range ends {
			if len(chanwait.Ways(fn, op, s)) == 0 {
				fn.Decline(op.At, "there is nothing to return, or to go on with, when %s ends the wait", s.Expr)
			}
			for _, way := range chanwait.Ways(fn, op, s) {
				e := fn.NewEdit("selectdone", op.At)
				e.Expr, e.Form, e.Heat, e.Belief, e.Group = s.Expr, way, heat, belief, group
				if chanwait.WorksOff(fn, op) {
					e.Flags = append(e.Flags, mutate.Discards)
				}
				group = ""     // the likeliest of an operation is enough
				belief *= less // of edits of one operation the likelier is tried first
				out = append(out, e)
			}
		}
	}
	return out
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	return chanwait.Wrap(m, e, chanwait.End{Expr: e.Expr}, e.Form)
}
