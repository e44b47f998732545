package selectdefault

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/chanwait"
)

//go:embed doc.go
var doc string

// Operator tries channel operations instead of waiting for them.
var Operator = &mutate.Operator{
	Name: "selectdefault",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 2, evidence.Blocked: 2, evidence.Timeout: 2,
		evidence.Race: 0.2, evidence.Panic: 0.2, evidence.TestFailure: 0.3,
	},
	NoFault: "it drops an operation, and mends no reason why nobody is at the other end",
	Edits:   edits,
	Apply:   apply,
}

// What may lose a message is tried later; chosen, not measured.
const (
	sure    = 1.0
	drops   = 0.3 // when the buffer is full
	tooSoon = 0.2 // when the receiver is not there yet
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, op := range chanwait.Ops(fn) {
		var note string
		var fits float64
		switch s := op.At.(type) {
		case *ast.SendStmt:
			note, fits = send(fn, s)
		case *ast.ExprStmt:
			note, fits = receive(fn, op.Chan[0])
		case *ast.SelectStmt:
			out = append(out, lone(fn, op, s)...)
		}
		if fits == 0 || spins(fn, op) {
			continue
		}
		e := fn.NewEdit("selectdefault", op.At)
		heat, seen := op.Heat(fn)
		e.Note, e.Heat, e.Belief, e.Group = note, heat, fits, chanwait.Group(seen)
		out = append(out, e)
	}
	return out
}

// send grades how well a send can be one that does not wait; 0: not at all.
func send(fn *mutate.Function, s *ast.SendStmt) (note string, fits float64) {
	c := fn.Channel(s.Chan)
	if c == nil || len(c.Makes) == 0 || chanwait.Semaphore(c) {
		return "", 0
	}
	// A bool that is computed says more than that it was sent.
	signal := chanwait.Signals(c.Elem) && (chanwait.Empty(c.Elem) || fn.File.Package.Info.Types[s.Value].Value != nil)
	switch {
	case chanwait.Buffered(c) && signal:
		return "a signal that is pending will do", sure
	case chanwait.Buffered(c):
		return "the value is dropped when the buffer is full", drops
	case signal:
		return "the signal is dropped when nobody waits for it", tooSoon
	}
	return "", 0
}

// receive grades how well a receive can be one that does not wait; 0: not at all.
func receive(fn *mutate.Function, ch ast.Expr) (note string, fits float64) {
	if c := fn.Channel(ch); c != nil {
		if len(c.Makes) == 0 || c.Escapes || len(c.Sends)+len(c.Closes) > 0 {
			return "", 0
		}
		return "do not wait for what may never come", sure
	}
	if timer(fn, ch) {
		return "another may have taken the value", sure
	}
	return "", 0
}

// timer reports whether an expression is the channel of a time.Timer or time.Ticker.
func timer(fn *mutate.Function, ch ast.Expr) bool {
	sel, ok := ast.Unparen(ch).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "C" {
		return false
	}
	v, ok := fn.File.Package.Info.Uses[sel.Sel].(*types.Var)
	return ok && v.IsField() && v.Pkg() != nil && v.Pkg().Path() == "time"
}

// spins reports whether an operation is what a loop waits for: tried only, it
// would let the loop run round and round.
func spins(fn *mutate.Function, op chanwait.Op) bool {
	loop, ok := op.Loop(fn).(*ast.ForStmt)
	if !ok || loop.Cond != nil && loop.Post != nil {
		return false
	}
	for _, other := range chanwait.Ops(fn) {
		if other.At != op.At && slices.Contains(loop.Body.List, other.Stmt.Stmt) {
			return false
		}
	}
	return true
}

func apply(m *mutate.Mutation, e mutate.Edit) error { return chanwait.WrapDefault(m, e) }
