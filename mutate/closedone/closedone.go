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
	"mendel/mutate/internal/receiver"
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
	Faults: []evidence.Fault{evidence.CloseDuringSend, evidence.ReceiverAlone, evidence.SenderAlone},
	Needs:  "send to the receiver of a value that has a Close, or goroutine of such a value that nobody ends",
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
		name := ""
		if c, ok := closableOf(fn, base); ok {
			name = c.Name
		} else if d, ok := endedOf(fn, op, base); ok {
			name = d.Name
		} else {
			continue
		}
		heat, seen := op.Heat(fn)
		belief, group := long, chanwait.Group(seen)
		end := own + name
		for _, way := range chanwait.Ways(fn, op, chanwait.End{Expr: end}) {
			e := fn.NewEdit("closedone", op.At)
			e.Expr, e.Form, e.Heat, e.Belief, e.Group = end, way, heat, belief, group
			if chanwait.WorksOff(fn, op) {
				e.Flags = append(e.Flags, mutate.Discards)
			}
			group = ""     // the likeliest of an operation is enough
			belief *= less // of edits of one operation the likelier is tried first
			out = append(out, e)
		}
	}
	return out
}

// less is how much colder each further edit of an operation is; chosen, not measured.
const less = 0.98

// owner is the value that an operation sends to a field of, or receives from in a goroutine that nobody ends otherwise: a
// field of the value, or the channel of a timer or ticker in one. nil: there is none.
func owner(fn *mutate.Function, op chanwait.Op) ast.Expr {
	if send, ok := op.At.(*ast.SendStmt); ok {
		return holder(fn, send.Chan)
	}
	if !fn.Started() || len(op.Chan) == 0 || slices.ContainsFunc(op.Chan, func(e ast.Expr) bool { return ends(fn, e) }) {
		return nil
	}
	for _, e := range op.Chan {
		if base := holder(fn, e); base != nil {
			return base
		}
	}
	return nil
}

// holder is the value that a channel is a field of, or whose timer or ticker it belongs to; nil: there is none.
func holder(fn *mutate.Function, ch ast.Expr) ast.Expr {
	sel, ok := ast.Unparen(ch).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	info := fn.File.Package.Info
	if chanwait.Ticks(fn, ch) {
		inner, field := ast.Unparen(sel.X).(*ast.SelectorExpr)
		if !field {
			return runsOf(fn, sel.X)
		}
		sel = inner
	}
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || len(s.Index()) != 1 || fn.Path(sel.X).Root == nil {
		return nil
	}
	return sel.X
}

// runsOf is the value whose method a goroutine runs that has made the timer or ticker itself; nil: it has not, or runs no method.
func runsOf(fn *mutate.Function, ticker ast.Expr) ast.Expr {
	id, ok := ast.Unparen(ticker).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := fn.File.Package.Info.Uses[id].(*types.Var)
	r, method := receiver.Of(fn)
	if !ok || !method || v.Pos() < fn.Body.Pos() || v.Pos() > fn.Body.End() || r.Name.Name == "_" {
		return nil
	}
	return r.Name
}

// ends reports whether somebody may close a channel that is received from, or it is not known who has it, but for that of a
// timer or ticker.
func ends(fn *mutate.Function, ch ast.Expr) bool {
	if chanwait.Ticks(fn, ch) {
		return false
	}
	c := fn.Channel(ch)
	return c == nil || c.Escapes || len(c.Closes) > 0
}
