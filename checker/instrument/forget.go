package instrument

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis"
)

// forgetting is a statement after which its goroutine has no trace of what it has read
// there: all that it assigns to is memory that is told of, or ends with the statement.
// Strategy states wants to know; see sched.Enter.
//
//	if x.n > 0 { x.n-- }
//	{ z := sched.Enter(); if *sched.R(&x.n) > 0 { *sched.RW(&x.n)-- }; z.Left() }
func (r *rewriter) forgetting(s ast.Stmt) (text string, ok bool) {
	if r.silent || r.within || r.header[s] {
		return "", false
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return "", false
		}
	case *ast.IncDecStmt, *ast.IfStmt, *ast.RangeStmt:
	case *ast.ForStmt:
		if s.Cond == nil {
			return "", false
		}
	default:
		return "", false
	}
	f := traceless{r: r, from: s.Pos(), to: s.End(), callees: map[*ast.FuncDecl]bool{}}
	if !f.node(s) || !f.reads {
		return "", false
	}
	r.within = true
	text = r.stmt(s)
	r.within = false
	z := r.fresh()
	return "{ " + z + " := " + r.call("Enter") + "; " + text + "; " + z + ".Left() }", true
}

// traceless looks whether a statement, or a function that it calls, leaves traces in
// variables that outlive it.
type traceless struct {
	r        *rewriter
	from, to token.Pos // what is declared between ends with it
	loops    int       // that a break or continue may mean
	function bool      // it is a function: a return stays within
	callees  map[*ast.FuncDecl]bool
	reads    bool // memory that may be shared is read
}

// node looks at a statement or expression and all below it.
func (f *traceless) node(n ast.Node) bool {
	ok := true
	ast.Inspect(n, func(c ast.Node) bool {
		if !ok || c == nil {
			return false
		}
		below := false
		ok, below = f.look(n, c)
		return ok && below
	})
	return ok
}

// look looks at one node; below: those in it are to be looked at, too.
func (f *traceless) look(top, n ast.Node) (ok, below bool) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return f.assigns(n.Lhs, n.Tok), true
	case *ast.IncDecStmt:
		return f.assigns([]ast.Expr{n.X}, token.ASSIGN), true
	case *ast.RangeStmt:
		return f.ranges(n) && f.loop(top, n), n == top
	case *ast.ForStmt:
		return f.loop(top, n), n == top
	case *ast.BranchStmt:
		return n.Label == nil && (n.Tok == token.BREAK || n.Tok == token.CONTINUE) && f.loops > 0, false
	case *ast.ReturnStmt:
		return f.function, true
	case *ast.CallExpr:
		return f.call(n), true
	case *ast.UnaryExpr:
		return n.Op != token.AND && n.Op != token.ARROW, true
	case *ast.BlockStmt, *ast.IfStmt, *ast.ExprStmt, *ast.EmptyStmt:
		return true, true
	case ast.Stmt, *ast.FuncLit, *ast.CompositeLit:
		return false, false
	case ast.Expr:
		if f.r.info.Types[n].IsType() {
			return true, false
		}
		f.reads = f.reads || f.r.touches(n)
	}
	return true, true
}

// loop looks at a loop below another node by itself, where a break means it.
func (f *traceless) loop(top, n ast.Node) bool {
	f.loops++
	if top == n {
		return true // it ends with it
	}
	ok := f.node(n)
	f.loops--
	return ok
}

// ranges reports whether a loop goes over what is neither received nor in random order.
func (f *traceless) ranges(s *ast.RangeStmt) bool {
	switch kind(f.r.typeOf(s.X)).(type) {
	case *types.Slice, *types.Basic, *types.Array:
	default:
		return false
	}
	return s.Key == nil || s.Tok == token.DEFINE
}

// assigns reports whether targets are memory that is told of, or end with the statement.
func (f *traceless) assigns(targets []ast.Expr, tok token.Token) bool {
	for _, l := range targets {
		id, _ := ast.Unparen(l).(*ast.Ident)
		switch {
		case id != nil && (id.Name == "_" || f.own(id)):
		case tok == token.DEFINE || !f.r.written(l):
			return false
		case tok != token.ASSIGN:
			f.reads = true
		}
	}
	return true
}

// own reports whether a variable is declared within.
func (f *traceless) own(id *ast.Ident) bool {
	v, ok := f.r.info.ObjectOf(id).(*types.Var)
	return ok && !v.IsField() && f.from <= v.Pos() && v.Pos() < f.to
}

// call reports whether a call does nothing else.
func (f *traceless) call(call *ast.CallExpr) bool {
	if f.r.info.Types[call.Fun].IsType() {
		return true // a conversion
	}
	switch b := f.r.builtin(call); b {
	case "len", "cap":
		return !isChan(f.r.typeOf(call.Args[0]))
	case "min", "max":
		return true
	default:
		if b != "" {
			return false
		}
	}
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
		if s := f.r.info.Selections[fun]; s != nil && types.IsInterface(s.Recv()) {
			return false
		}
	default:
		return false
	}
	fn, ok := f.r.info.Uses[id].(*types.Func)
	if !ok {
		return false
	}
	if waits[fn.FullName()] {
		f.reads = true
		return true
	}
	return f.callee(fn)
}

// waits are operations that say nothing of what they saw.
var waits = map[string]bool{
	"(*sync.Mutex).Lock": true, "(*sync.Mutex).Unlock": true,
	"(*sync.RWMutex).Lock": true, "(*sync.RWMutex).Unlock": true, "(*sync.RWMutex).RLock": true, "(*sync.RWMutex).RUnlock": true,
	"(*sync.Cond).Wait": true, "(*sync.Cond).Signal": true, "(*sync.Cond).Broadcast": true,
}

// callee reports whether a function of the package does nothing else. One that calls
// itself does.
func (f *traceless) callee(fn *types.Func) bool {
	d := f.r.facts.functions[fn]
	if d == nil || d.Body == nil || f.callees[d] || analysis.Excluded(d.Doc) || fn.Signature().TypeParams() != nil || fn.Signature().RecvTypeParams() != nil {
		return false
	}
	f.callees[d] = true
	g := traceless{r: f.r, from: d.Pos(), to: d.End(), function: true, callees: f.callees}
	if !g.node(d.Body) {
		return false
	}
	f.reads = f.reads || g.reads
	delete(f.callees, d)
	return true
}
