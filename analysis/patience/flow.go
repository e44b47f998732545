package patience

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// received follows a receive: from the case of its select, or from what comes after it.
func (w *walk) received(recv *ast.UnaryExpr) bool {
	w.met = true
	var stmt ast.Stmt
	switch p := w.parents[recv].(type) {
	case *ast.ExprStmt:
		stmt = p
	case *ast.AssignStmt:
		stmt = p
	default:
		return false
	}
	clause, ok := w.parents[stmt].(*ast.CommClause)
	if !ok || clause.Comm != stmt {
		return w.after(stmt)
	}
	fn := w.enclosing(clause)
	for _, b := range w.graphOf(fn).Blocks {
		if b.Kind == cfg.KindSelectCaseBody && b.Stmt == ast.Stmt(clause) {
			if w.ticks && w.asksAgain(clause) {
				w.guard = Gives
				return true
			}
			return w.ends(fn, b, 0)
		}
	}
	return false
}

// asksAgain reports whether a case of a select in a loop only looks whether to go on: it
// does not fail the test, and its loop has another case that gives up.
func (w *walk) asksAgain(clause *ast.CommClause) bool {
	for _, s := range clause.Body {
		if w.mentionsFailure(s) {
			return false
		}
	}
	sel, ok := w.parents[w.parents[clause]].(*ast.SelectStmt)
	if !ok || len(sel.Body.List) < 2 {
		return false
	}
	return slices.ContainsFunc(sel.Body.List, func(s ast.Stmt) bool { return s != ast.Stmt(clause) && w.mentionsFailure(s) })
}

// after follows what comes after a statement.
func (w *walk) after(stmt ast.Stmt) bool {
	w.met = true
	fn := w.enclosing(stmt)
	var node ast.Node = stmt
	if e, ok := stmt.(*ast.ExprStmt); ok {
		node = e
	}
	for _, b := range w.graphOf(fn).Blocks {
		for i, n := range b.Nodes {
			if n == node || n.Pos() == node.Pos() && n.End() == node.End() {
				return w.ends(fn, b, i+1)
			}
		}
	}
	return false
}

// enclosing is the function that a node is in.
func (f *finder) enclosing(n ast.Node) *function {
	for n = f.parents[n]; n != nil; n = f.parents[n] {
		switch n := n.(type) {
		case *ast.FuncLit:
			return f.lits[n]
		case *ast.FuncDecl:
			if o, ok := f.info.Defs[n.Name].(*types.Func); ok {
				return f.funcs[o]
			}
		}
	}
	return nil
}

// inTestFile reports whether a function has no other callers than tests, by where it stands.
func (f *finder) inTestFile(fn *function) bool { return f.testFiles[fn.node] }

// graphOf is the control flow of a function.
func (f *finder) graphOf(fn *function) *cfg.CFG {
	if fn == nil {
		return &cfg.CFG{}
	}
	if fn.graph == nil {
		fn.graph = cfg.New(fn.body, func(call *ast.CallExpr) bool { return !f.stops(call) })
	}
	return fn.graph
}

// A trail is the ways that lead on from somewhere in a function.
type trail struct {
	w    *walk
	fn   *function
	seen map[*cfg.Block]int // 1: come to with nothing done, 2: with something
}

// ends reports whether all ways from a node of a block give up.
func (w *walk) ends(fn *function, b *cfg.Block, from int) bool {
	t := &trail{w, fn, map[*cfg.Block]int{}}
	return t.block(b, from, false)
}

// block follows a block. Something was done if that may matter to the product.
func (t *trail) block(b *cfg.Block, from int, done bool) bool {
	for _, n := range b.Nodes[from:] {
		switch t.w.effect(n) {
		case fails:
			return true
		case waits:
			return false
		case acts:
			done = true
		}
		if r, ok := n.(*ast.ReturnStmt); ok {
			return !done && t.returns(r)
		}
	}
	if len(b.Succs) == 0 {
		return !done && t.returns(nil)
	}
	for _, s := range b.Succs {
		state := 1
		if done {
			state = 2
		}
		if t.seen[s] >= state {
			continue
		}
		t.seen[s] = state
		if s.Kind == cfg.KindSelectCaseBody || s.Kind == cfg.KindSelectAfterCase {
			return false // another wait
		}
		if !t.block(s, 0, done) {
			return false
		}
	}
	return true
}

// returns reports whether to return from a function gives up.
func (t *trail) returns(r *ast.ReturnStmt) bool {
	fn := t.fn
	if fn.obj != nil {
		if len(t.w.uses[fn.obj]) == 0 {
			t.w.guard = Gives // a test ends, or a helper of other packages
			return true
		}
		return t.callers(fn, r)
	}
	lit := fn.node.(*ast.FuncLit)
	switch p := t.w.parents[lit].(type) {
	case *ast.CallExpr:
		if p.Fun == lit { // go or defer, or at once
			if _, ok := t.w.parents[p].(*ast.GoStmt); ok {
				t.w.guard = Gives
				return true
			}
			return false
		}
		if o := t.w.callee(p); o != nil && (o.Name() == "Run" || o.Name() == "Cleanup" || o.Name() == "Go") && (isTestMethod(o) || qualified(o) == "sync.Go") {
			t.w.guard = Gives
			return true
		}
	case *ast.AssignStmt:
		if at := slices.Index(p.Rhs, ast.Expr(lit)); at >= 0 && len(p.Lhs) == len(p.Rhs) {
			if id, ok := p.Lhs[at].(*ast.Ident); ok && t.w.info.Defs[id] != nil {
				return t.calls(t.w.uses[t.w.info.Defs[id]], r)
			}
		}
	}
	return false
}

// callers follows all calls of a function, with what it returns.
func (t *trail) callers(fn *function, r *ast.ReturnStmt) bool {
	if t.w.calling[fn] {
		return false
	}
	if t.w.calling == nil {
		t.w.calling = map[*function]bool{}
	}
	t.w.calling[fn] = true
	defer delete(t.w.calling, fn)
	return t.calls(t.w.uses[fn.obj], r)
}

func (t *trail) calls(uses []*ast.Ident, r *ast.ReturnStmt) bool {
	for _, use := range uses {
		var fun ast.Expr = use
		if s, ok := t.w.parents[use].(*ast.SelectorExpr); ok && s.Sel == use {
			fun = s
		}
		call, ok := t.w.parents[fun].(*ast.CallExpr)
		if !ok || call.Fun != fun || !t.w.called(call, r) {
			return false
		}
	}
	return len(uses) > 0
}

// called reports whether a call that returns what r says gives up.
func (w *walk) called(call *ast.CallExpr, r *ast.ReturnStmt) bool {
	outer := w.enclosing(call)
	if outer == nil {
		return false
	}
	known := outcome{w: w, call: call, result: r}
	switch p := w.parents[call].(type) {
	case *ast.GoStmt:
		w.guard = Gives
		return true
	case *ast.CallExpr: // require.True(t, waitFor(c))
		if w.asserts(p) && known.wrong(call) {
			return true
		}
	case *ast.AssignStmt:
		known.name(p)
	case *ast.ReturnStmt:
		t := &trail{w, outer, map[*cfg.Block]int{}}
		if len(p.Results) == 1 && r != nil {
			return t.returns(r)
		}
		return t.returns(nil)
	}
	for _, b := range w.graphOf(outer).Blocks {
		for i, n := range b.Nodes {
			if n.Pos() <= call.Pos() && call.End() <= n.End() && !w.within(n, call) {
				return known.follow(outer, b, i)
			}
		}
	}
	return false
}

// within reports whether a call stands in a function literal of a node.
func (w *walk) within(n ast.Node, call *ast.CallExpr) bool {
	for at := ast.Node(call); at != nil && at != n; at = w.parents[at] {
		if _, ok := at.(*ast.FuncLit); ok {
			return true
		}
	}
	return false
}

// An outcome is what is known of the results of a call.
type outcome struct {
	w      *walk
	call   *ast.CallExpr
	result *ast.ReturnStmt
	names  []types.Object // the variables that hold the results
}

// name notes the variables to which the results are assigned.
func (o *outcome) name(p *ast.AssignStmt) {
	for _, e := range p.Lhs {
		var v types.Object
		if id, ok := e.(*ast.Ident); ok {
			if v = o.w.info.Defs[id]; v == nil {
				v = o.w.info.Uses[id]
			}
		}
		o.names = append(o.names, v)
	}
}

// follow follows what comes after the call in a block, by what is known of its results.
func (o *outcome) follow(fn *function, b *cfg.Block, at int) bool {
	last := at == len(b.Nodes)-1
	if cond, ok := b.Nodes[len(b.Nodes)-1].(ast.Expr); ok && len(b.Succs) == 2 {
		if value, known := o.truth(cond); known {
			next := b.Succs[1]
			if value {
				next = b.Succs[0]
			}
			for _, n := range b.Nodes[at+1:] {
				if e := o.w.effect(n); e == waits || e == acts {
					return false
				}
			}
			return o.w.ends(fn, next, 0)
		}
	}
	if !last {
		next := b.Nodes[at+1]
		if s, ok := next.(*ast.ExprStmt); ok {
			if c, ok := s.X.(*ast.CallExpr); ok && o.w.asserts(c) && slices.ContainsFunc(c.Args, o.wrong) {
				return true
			}
		}
	}
	return o.w.ends(fn, b, at+1)
}

// wrong reports whether an expression holds a result that an assertion about it refuses:
// false, or an error.
func (o *outcome) wrong(e ast.Expr) bool {
	i := o.index(e)
	if i < 0 {
		return false
	}
	switch v := o.valueOf(i); {
	case v.constant != nil && v.constant.Kind() == constant.Bool:
		return true
	default:
		return v.notNil
	}
}

// index is which of the results an expression is; -1: none.
func (o *outcome) index(e ast.Expr) int {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if e == o.call {
			return 0
		}
	case *ast.Ident:
		if v := o.w.info.Uses[e]; v != nil {
			return slices.Index(o.names, v)
		}
	}
	return -1
}

// A known is what is known of a result.
type known struct {
	constant constant.Value
	isNil    bool
	notNil   bool
}

// valueOf is what is known of the i-th result.
func (o *outcome) valueOf(i int) (k known) {
	if o.result == nil || i >= len(o.result.Results) {
		return k
	}
	e := ast.Unparen(o.result.Results[i])
	tv := o.w.info.Types[e]
	k.constant = tv.Value
	k.isNil = tv.IsNil()
	switch e := e.(type) {
	case *ast.CallExpr:
		if f := o.w.callee(e); f != nil {
			switch qualified(f) {
			case "errors.New", "fmt.Errorf", "context.Cause":
				k.notNil = true
			}
			k.notNil = k.notNil || f.Name() == "Err" && f.Pkg() != nil && f.Pkg().Path() == "context"
		}
	case *ast.Ident:
		if v, ok := o.w.info.Uses[e].(*types.Var); ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && types.Implements(v.Type(), errorType) {
			k.notNil = true // var ErrTimeout = errors.New
		}
	case *ast.SelectorExpr:
		if v, ok := o.w.info.Uses[e.Sel].(*types.Var); ok && !v.IsField() && types.Implements(v.Type(), errorType) {
			k.notNil = true
		}
	}
	return k
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// truth is what a condition comes to.
func (o *outcome) truth(cond ast.Expr) (value, ok bool) {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			value, ok = o.truth(e.X)
			return !value, ok
		}
	case *ast.BinaryExpr:
		if e.Op != token.EQL && e.Op != token.NEQ {
			return false, false
		}
		i, other := o.index(e.X), e.Y
		if i < 0 {
			i, other = o.index(e.Y), e.X
		}
		if i < 0 {
			return false, false
		}
		v, tv := o.valueOf(i), o.w.info.Types[other]
		switch {
		case tv.IsNil() && (v.isNil || v.notNil):
			return v.isNil == (e.Op == token.EQL), true
		case v.constant != nil && tv.Value != nil:
			return constant.Compare(v.constant, e.Op, tv.Value), true
		}
	default:
		if i := o.index(e); i >= 0 {
			if v := o.valueOf(i).constant; v != nil && v.Kind() == constant.Bool {
				return constant.BoolVal(v), true
			}
		}
	}
	return false, false
}
