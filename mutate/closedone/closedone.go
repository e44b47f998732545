package closedone

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/chanwait"
)

//go:embed doc.go
var doc string

// Operator lets sends be given up when the value that they are for is closed.
var Operator = &mutate.Operator{
	Name: "closedone",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 2, evidence.Blocked: 3, evidence.Timeout: 2,
		evidence.Race: 0.1, evidence.Panic: 0.2, evidence.TestFailure: 0.2,
	},
	Faults: []evidence.Fault{evidence.CloseDuringSend},
	Needs:  "send to the receiver of a value that has a Close",
	Edits:  edits,
	Apply:  apply,
}

// long is what the edit keeps of its operation's heat, because it takes many
// lines: shorter ones are tried before. Chosen, not measured.
const long = 0.7

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, op := range chanwait.Ops(fn) {
		base := owner(fn, op)
		if base == nil || !chanwait.Can(fn, op) {
			continue
		}
		own := types.ExprString(base) + "."
		if slices.ContainsFunc(chanwait.Ends(fn, op), func(s chanwait.End) bool { return strings.HasPrefix(s.Expr, own) }) {
			continue // package selectdone's
		}
		c, ok := closableOf(fn, base)
		if !ok {
			continue
		}
		heat, seen := op.Heat(fn)
		belief, group := long, chanwait.Group(seen)
		end := own + c.Name
		for _, way := range chanwait.Ways(fn, op, chanwait.End{Expr: end}) {
			e := fn.NewEdit("closedone", op.At)
			e.Expr, e.Form, e.Heat, e.Belief, e.Group = end, way, heat, belief, group
			group = ""     // the likeliest of an operation is enough
			belief *= less // of edits of one operation the likelier is tried first
			out = append(out, e)
		}
	}
	return out
}

// less is how much colder each further edit of an operation is; chosen, not measured.
const less = 0.98

// owner is the value that an operation sends to a field of; nil if it does not
// send, or to something else.
func owner(fn *mutate.Function, op chanwait.Op) ast.Expr {
	send, ok := op.At.(*ast.SendStmt)
	if !ok {
		return nil
	}
	sel, ok := ast.Unparen(send.Chan).(*ast.SelectorExpr)
	if !ok || fn.Path(sel.X).Root == nil {
		return nil
	}
	s := fn.File.Package.Info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || len(s.Index()) != 1 {
		return nil
	}
	return sel.X
}
