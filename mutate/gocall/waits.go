package gocall

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/methodcalls"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/chanwait"
)

// A wait is an operation that waits for some goroutine to do something.
type wait struct {
	fn      *mutate.Function
	at      ast.Node
	signals []signal // any of them may be what is waited for
	all     bool     // all of them are
}

// A signal is what a goroutine does for those that wait.
type signal struct {
	fn       *mutate.Function
	pos      token.Pos
	deferred bool           // it is done when the function returns
	again    *ast.BlockStmt // the body of a loop in which it is done again; nil: it is in none
}

// waits lists the waits of a function: receives from a channel, sends and loops over
// one, and calls of Wait of a wait group. An operation of a select has a way out.
func waits(fn *mutate.Function, groups map[*types.Var][]signal) (list []wait) {
	polled := make(map[ast.Node]bool)
	on := func(n ast.Node, ch ast.Expr) {
		if c := fn.Channel(ch); c != nil && !polled[n] {
			if w, ok := atChannel(fn, n, c); ok {
				list = append(list, w)
			}
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			syntax.Polls(n, polled)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				on(n, n.X)
			}
		case *ast.RangeStmt:
			if t := fn.File.Package.Info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Chan); ok {
					on(n, n.X)
				}
			}
		case *ast.SendStmt:
			on(n, n.Chan)
		}
		return true
	})
	for call, sel := range methodcalls.Of(fn, "*sync.WaitGroup") {
		if sel.Sel.Name == "Wait" && len(groups[variable(fn, sel.X)]) > 0 {
			list = append(list, wait{fn: fn, at: call, signals: groups[variable(fn, sel.X)], all: true})
		}
	}
	return list
}

// atChannel is a wait at a channel; ok is false where it is not seen who ends it.
func atChannel(fn *mutate.Function, n ast.Node, c *mutate.Channel) (w wait, ok bool) {
	if c.Escapes || len(c.Makes) == 0 {
		return wait{}, false
	}
	_, sends := n.(*ast.SendStmt)
	uses := slices.Concat(c.Sends, c.Closes)
	if _, ranges := n.(*ast.RangeStmt); ranges {
		uses = c.Closes
	}
	if sends {
		if chanwait.Buffered(c) {
			return wait{}, false
		}
		uses = slices.Concat(c.Receives, c.Ranges)
	}
	w = wait{fn: fn, at: n}
	for _, u := range uses {
		switch {
		case u.Test && u.Fn == nil:
			continue
		case u.Fn == nil:
			return wait{}, false
		}
		s := signal{fn: u.Fn, pos: u.Node.Pos()}
		if at := mutate.Innermost(u.Fn.Statements(), u.Node); at.Stmt != nil {
			_, s.deferred = at.Stmt.(*ast.DeferStmt)
		}
		if sends { // who receives in a loop comes back to it
			s.again = loopAround(u)
		}
		w.signals = append(w.signals, s)
	}
	return w, len(w.signals) > 0
}

// loopAround is the body of the outermost loop of its function that a use of a channel
// is in, or that it is the head of.
func loopAround(u mutate.ChannelUse) (body *ast.BlockStmt) {
	ast.Inspect(u.Fn.Body, func(n ast.Node) bool {
		if n == nil || body != nil || !syntax.Within(u.Node, n) {
			return false
		}
		switch n := n.(type) {
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			if n == u.Node || syntax.Within(u.Node, ast.Node(n.Body)) {
				body = n.Body
			}
		}
		return true
	})
	return body
}

// dones lists the calls of Done of wait groups, by the variable or field that a group is in.
func dones(functions []*mutate.Function) map[*types.Var][]signal {
	groups := make(map[*types.Var][]signal)
	add := func(v *types.Var, s signal) {
		if v != nil {
			groups[v] = append(groups[v], s)
		}
	}
	for _, fn := range functions {
		for call, sel := range methodcalls.Of(fn, "*sync.WaitGroup") {
			if sel.Sel.Name == "Done" {
				at := mutate.Innermost(fn.Statements(), call)
				_, deferred := at.Stmt.(*ast.DeferStmt)
				add(variable(fn, sel.X), signal{fn: fn, pos: call.Pos(), deferred: deferred})
			}
		}
		for _, s := range starts.Of(fn) {
			if call, ok := started(s); ok {
				if sel := syntax.MethodOf(fn.File.Package.Info, call, "*sync.WaitGroup"); sel != nil { // Go calls Done
					add(variable(fn, sel.X), signal{fn: s.To, pos: s.To.Body.Pos(), deferred: true})
				}
			}
		}
	}
	return groups
}

// started is the call, such as a WaitGroup's Go, that starts a goroutine which may be edited.
func started(s starts.Start) (call *ast.CallExpr, ok bool) {
	if s.Go != nil || s.To == nil {
		return nil, false
	}
	e, ok := s.Stmt.(*ast.ExprStmt)
	if !ok {
		return nil, false
	}
	call, ok = ast.Unparen(e.X).(*ast.CallExpr)
	return call, ok
}

// variable is the variable or field that an expression ends in; nil if it ends in none.
func variable(fn *mutate.Function, e ast.Expr) *types.Var {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	case *ast.UnaryExpr:
		return variable(fn, e.X)
	default:
		return nil
	}
	if v, ok := fn.File.Package.Info.Uses[id].(*types.Var); ok {
		return v.Origin()
	}
	return nil
}
