package chanwait

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// An Op is a statement that may wait for ever at channels.
type Op struct {
	Stmt mutate.Statement
	// At is the statement itself: of a labelled one, what is labelled.
	At   ast.Stmt // *ast.SendStmt, *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt, *ast.RangeStmt or *ast.SelectStmt
	Chan []ast.Expr
	Wait string // what a goroutine blocked there is said to wait for: "chan send"
}

// Ops lists the function's statements that may wait for ever at channels, in
// source order: sends, receives that are a statement of their own, the right
// of an assignment or all a function returns, loops over a channel, and selects
// without a default.
func Ops(fn *mutate.Function) []Op {
	var out []Op
	for _, st := range fn.Statements() {
		op := Op{Stmt: st, At: st.Stmt}
		if l, ok := op.At.(*ast.LabeledStmt); ok {
			op.At = l.Stmt
			if !loopOrSelect(op.At) {
				continue
			}
		}
		if op.find(fn) {
			out = append(out, op)
		}
	}
	return out
}

// Sleeps lists the function's calls of time.Sleep that are a statement, in source order: a pause that goes on
// although nobody waits for what comes behind it any more.
func Sleeps(fn *mutate.Function) []Op {
	var out []Op
	for _, st := range fn.Statements() {
		s, ok := st.Stmt.(*ast.ExprStmt)
		if !ok {
			continue
		}
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			continue
		}
		if f := syntax.Callee(fn.File.Package.Info, call.Fun); f != nil && f.FullName() == "time.Sleep" {
			out = append(out, Op{Stmt: st, At: st.Stmt, Wait: "sleep"})
		}
	}
	return out
}

func loopOrSelect(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.RangeStmt, *ast.SelectStmt:
		return true
	}
	return false
}

// find fills in what the statement waits for.
func (op *Op) find(fn *mutate.Function) bool {
	op.Wait = "chan receive"
	switch s := op.At.(type) {
	case *ast.SendStmt:
		op.Wait, op.Chan = "chan send", []ast.Expr{s.Chan}
	case *ast.ExprStmt:
		op.Chan = received(s.X)
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 && (s.Tok == token.ASSIGN || s.Tok == token.DEFINE) {
			op.Chan = received(s.Rhs[0])
		}
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			op.Chan = received(s.Results[0])
		}
	case *ast.RangeStmt:
		if t := fn.File.Package.Info.TypeOf(s.X); t != nil {
			if _, ok := t.Underlying().(*types.Chan); ok {
				op.Chan = []ast.Expr{s.X}
			}
		}
	case *ast.SelectStmt:
		op.Wait = "select"
		for _, c := range s.Body.List {
			comm := c.(*ast.CommClause).Comm
			if comm == nil {
				return false
			}
			inner := Op{At: comm}
			inner.find(fn)
			op.Chan = append(op.Chan, inner.Chan...)
		}
	}
	return len(op.Chan) > 0
}

// received is the channel that an expression receives from, as a list; nil if
// it is no receive.
func received(e ast.Expr) []ast.Expr {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		return []ast.Expr{u.X}
	}
	return nil
}

// Gives reports whether the statement goes on with a value that it received.
func (op *Op) Gives() bool {
	switch op.At.(type) {
	case *ast.AssignStmt, *ast.ReturnStmt, *ast.RangeStmt:
		return true
	}
	return false
}

// Uses reports whether one of the operation's channels may be a given one.
func (op *Op) Uses(fn *mutate.Function, c *mutate.Channel) bool {
	return c != nil && slices.ContainsFunc(op.Chan, func(e ast.Expr) bool { return fn.Channel(e) == c })
}

// What fits the evidence less is tried later; chosen, not measured.
const elsewhere = 0.4 // nobody was seen waiting there

// Heat is how hot an edit of the operation is: as its line, if a goroutine was
// seen waiting there for what it waits for.
func (op *Op) Heat(fn *mutate.Function) (heat float64, seen bool) {
	heat, waits := fn.Narrowing.HeatAt(op.At.Pos())
	if waits != op.Wait {
		return heat * elsewhere, false
	}
	return heat, true
}

// Loop is the innermost loop of the function around the operation; nil if it is
// in none.
func (op *Op) Loop(fn *mutate.Function) ast.Stmt {
	var loop ast.Stmt
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			if n.Body.Pos() <= op.At.Pos() && op.At.End() <= n.Body.End() {
				loop = n
			}
		case *ast.RangeStmt:
			if n.Body.Pos() <= op.At.Pos() && op.At.End() <= n.Body.End() {
				loop = n
			}
		}
		return true
	})
	return loop
}

// last reports whether nothing of the function is left behind a statement.
func last(fn *mutate.Function, s ast.Stmt) bool {
	list := fn.Body.List
	for len(list) > 0 {
		end := list[len(list)-1]
		if end == s {
			return true
		}
		if l, ok := end.(*ast.LabeledStmt); ok {
			end = l.Stmt
		}
		found := false
		switch end.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return end == s
		}
		for _, inner := range mutate.Lists(end) {
			if len(inner) > 0 && inner[0].Pos() <= s.Pos() && s.End() <= inner[len(inner)-1].End() {
				list, found = inner, true
			}
		}
		if !found {
			return end == s
		}
	}
	return false
}

// Group is the group of an edit, see [mutate.Edit.Group], of an operation at which
// a goroutine was seen waiting, or not: all such operations go together.
func Group(seen bool) string {
	if seen {
		return "waiting"
	}
	return ""
}
