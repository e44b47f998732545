package closeonce

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/locking"
	"mendel/mutate/internal/tree"
)

// What is left of the belief in a gate beside a better one, and in another form where there is
// a gate. Guessed.
const (
	alone     = 0.95 // beside the gates of all windows
	lessUsual = 0.9
	unusual   = 0.8
	tooSmall  = 0.5
)

// gates lists the edits that let one goroutine only through a window, best first: the value's own
// mutex, the swap of what is stored there anyway, a new mutex. The best belongs together with those
// of the package's other windows.
func (w *window) gates() (out []mutate.Edit) {
	sure := w.sure()
	add := func(e mutate.Edit, belief float64) {
		e.Expr = cmp.Or(e.Expr, types.ExprString(w.On))
		e.Sure = sure
		if len(out) == 0 {
			e.Group = "windows of " + w.fn.File.Package.Path
		}
		if w.bare {
			belief *= tooSmall // a sync.Once does
		}
		e.Doubt(belief)
		out = append(out, e)
	}
	why := w.disturbs()
	if why == "" {
		for _, l := range w.own() {
			if w.agreed(l) {
				add(w.section(l), alone)
			}
		}
	}
	if e, ok := w.swap(); ok {
		add(e, lessUsual)
	}
	if why != "" {
		w.fn.Decline(w.at.Stmt, "%s", why)
		return out
	}
	if l, ok := w.mutex(); ok && w.fits(l) {
		add(w.section(l), unusual)
	}
	return out
}

// section is the edit that holds a lock from the question to the close.
func (w *window) section(l analysis.Lock) mutate.Edit {
	s, _ := locking.Plan(w.fn, w.at, len(w.stmts)) // disturbs has said that there is one
	e := w.fn.NewEdit("closeonce", s.Stmts[0], s.Stmts...)
	e.Form, e.Count, e.Lock = formSection, len(s.Stmts), &l
	e.Note = "nobody else closes " + types.ExprString(w.On) + " between the question and the close"
	return e
}

// own are the mutexes beside the channel that may be taken for the window.
func (w *window) own() (locks []analysis.Lock) {
	beside := ""
	if sel, ok := ast.Unparen(w.On).(*ast.SelectorExpr); ok {
		beside = types.ExprString(sel.X)
	}
	v := syntax.Variable(w.fn.File.Package.Info, w.On)
	if v == nil || beside == "" && !syntax.PackageLevel(v) {
		return nil
	}
	for _, l := range w.fn.Program.Locks(w.fn.File, w.at.Stmt) {
		if l.New == nil && syntax.LockOwner(l) == beside && w.fits(l) {
			locks = append(locks, l)
		}
	}
	return locks
}

// agreed reports whether the other windows of the channel can have the mutex as well.
func (w *window) agreed(l analysis.Lock) bool {
	return !slices.ContainsFunc(w.channel.Closes, func(u mutate.ChannelUse) bool {
		if u.Test || u.Stmt == w.Stmt {
			return false
		}
		other, ok := windowOf(u)
		return ok && !slices.ContainsFunc(other.own(), func(o analysis.Lock) bool { return o.Key == l.Key })
	})
}

// fits reports whether a lock may be taken for the window: nothing there takes it, no caller
// has it, and nobody holds it while waiting for the close.
func (w *window) fits(l analysis.Lock) bool {
	if held.Conflict(w.fn, l, w.stmts...) != "" || locking.Reassigned(l.Expr, w.stmts) || locking.StartsAcquirer(w.fn, l.Key, w.stmts) {
		return false
	}
	return !slices.ContainsFunc(slices.Concat(w.channel.Receives, w.channel.Ranges), func(u mutate.ChannelUse) bool {
		if u.Fn == nil || u.Select != nil && syntax.HasDefault(u.Select) {
			return false
		}
		at := u.Stmt
		if u.Select != nil {
			at = u.Select
		}
		return slices.ContainsFunc(u.Fn.HeldAt(at), func(o analysis.Lock) bool { return o.Key == l.Key })
	})
}

// mutex is a new lock beside the channel.
func (w *window) mutex() (l analysis.Lock, ok bool) {
	v := syntax.Variable(w.fn.File.Package.Info, w.On)
	if v == nil {
		return l, false
	}
	kind := analysis.LocalLock
	switch {
	case w.fn.Node.Pos() <= v.Pos() && v.Pos() < w.fn.Node.End():
		return l, false // each call has its own
	case v.IsField():
		kind = analysis.FieldLock
	case syntax.PackageLevel(v):
		kind = analysis.PackageLock
	}
	a := analysis.Access{Var: v.Origin(), Expr: ast.Unparen(w.On)}
	for _, l := range w.fn.Program.NewLocks(w.fn.File, w.at.Stmt, []analysis.Access{a}) {
		if l.New.Kind == kind {
			return l, true
		}
	}
	if kind == analysis.LocalLock {
		return l, false
	}
	return w.fn.Program.NewValue(w.fn.File, w.at.Stmt, a, "sync.Mutex", v.Name()+"Mu", "Mu")
}

// swap is the edit that asks by a CompareAndSwap of what the window stores first.
func (w *window) swap() (e mutate.Edit, ok bool) {
	info := w.fn.File.Package.Info
	x, value, ok := stored(info, w.stmts[1])
	if !ok {
		return e, false
	}
	v := syntax.Variable(info, x)
	if v == nil || !w.beside(x) || w.fn.Reassigns(types.ExprString(x), w.stmts...) {
		return e, false
	}
	uses := usesOf(w.fn, v.Origin())
	for _, u := range uses {
		if u.method != "Load" && u.at != w.stmts[1].Pos() {
			return e, false
		}
	}
	old := "nil"
	if value == "true" {
		old = "false"
	}
	e = w.fn.NewEdit("closeonce", w.at.Stmt, w.stmts...)
	e.Form, e.Other = formSwap, w.fn.ID(w.stmts[1])
	e.Expr = "!" + types.ExprString(x) + ".CompareAndSwap(" + old + ", " + value + ")"
	return e, true
}

// isAtomic reports whether a type is a flag or pointer of package sync/atomic.
func isAtomic(t types.Type) bool {
	name := types.TypeString(t, nil)
	return name == "sync/atomic.Bool" || strings.HasPrefix(name, "sync/atomic.Pointer[")
}

// atomicCall is what a method of a flag or pointer of package sync/atomic is called of.
func atomicCall(info *types.Info, e ast.Expr, method string) (of ast.Expr, ok bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != method || info.TypeOf(sel.X) == nil || !isAtomic(info.TypeOf(sel.X)) {
		return nil, false
	}
	return sel.X, true
}

// stored is what a statement stores, true or an address, in which variable of package sync/atomic.
func stored(info *types.Info, s ast.Stmt) (x ast.Expr, value string, ok bool) {
	stmt, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil, "", false
	}
	if x, ok = atomicCall(info, stmt.X, "Store"); !ok {
		return nil, "", false
	}
	arg := ast.Unparen(ast.Unparen(stmt.X).(*ast.CallExpr).Args[0])
	if u, isAddress := arg.(*ast.UnaryExpr); isAddress {
		_, named := ast.Unparen(u.X).(*ast.Ident)
		return x, types.ExprString(arg), u.Op == token.AND && named
	}
	return x, "true", types.ExprString(arg) == "true"
}

// An atomicUse is a place of the package that names a variable.
type atomicUse struct {
	at     token.Pos // of the statement or call
	method string    // that is called of it; "": none
}

// usesOf are the places of a variable's package that name it, tests included.
func usesOf(fn *mutate.Function, v *types.Var) []atomicUse {
	type usesKey struct{ v *types.Var }
	return mutate.Once(fn, usesKey{v}, func() (uses []atomicUse) {
		for _, p := range fn.Program.Packages {
			for _, f := range p.Files {
				syntax.Walk(f.AST, func(n ast.Node, path []ast.Node) {
					id, ok := n.(*ast.Ident)
					if !ok {
						return
					}
					of, ok := p.Info.Uses[id].(*types.Var)
					if !ok || of.Origin() != v {
						return
					}
					uses = append(uses, useAt(id, path))
				})
			}
		}
		return uses
	})
}

// useAt is the use that a name is, with the nodes around it.
func useAt(id *ast.Ident, path []ast.Node) atomicUse {
	u := atomicUse{at: id.Pos()}
	var inner ast.Node = id
	for _, n := range slices.Backward(path) {
		sel, ok := n.(*ast.SelectorExpr)
		switch {
		case n == ast.Node(id):
		case ok && sel.Sel == inner: // the field of something
			inner = sel
		case ok && sel.X == inner && u.method == "":
			u.method, inner = sel.Sel.Name, sel
		default:
			if call, ok := n.(*ast.CallExpr); ok && u.method != "" && call.Fun == inner {
				u.at = call.Pos()
				return u
			}
			u.method = ""
			return u
		}
	}
	return u
}

// applySwap puts the swap in the place of the question, and takes the store away.
func applySwap(m *mutate.Mutation, e mutate.Edit, question dst.Stmt) error {
	store := m.Stmt(e.File, e.Other)
	if store == nil {
		return mutate.Refuse(e, "another edit removed the store")
	}
	cond := tree.Expr(e.Expr)
	switch q := question.(type) {
	case *dst.IfStmt:
		q.Cond = cond
	case *dst.SelectStmt:
		test := &dst.IfStmt{Cond: cond, Body: &dst.BlockStmt{}}
		for _, c := range q.Body.List {
			if clause := c.(*dst.CommClause); clause.Comm != nil {
				test.Body.List = clause.Body
			}
		}
		if err := m.Replace(e.File, q, test); err != nil {
			return err
		}
	default:
		return mutate.Refuse(e, "another edit changed the question")
	}
	return m.Remove(e.File, store)
}

// applySection puts the window under the lock.
func applySection(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no such statement")
	}
	s, ok := locking.Find(fn, e)
	if !ok {
		return mutate.Refuse(e, "the statements cannot be put into a critical section")
	}
	return s.Lock(m, fn, e)
}

// ofPackages lists, for each package with several windows, the edit that has the best gate of each:
// where one is left, others fail there.
func ofPackages(w *mutate.Whole) (out []mutate.Edit) {
	var groups []string // in the order of the edits
	parts := make(map[string][]mutate.Edit)
	for _, e := range w.EditsOf("closeonce") {
		if e.Group == "" {
			continue
		}
		if parts[e.Group] == nil {
			groups = append(groups, e.Group)
		}
		parts[e.Group] = append(parts[e.Group], e)
	}
	for _, g := range groups {
		if len(parts[g]) < 2 {
			continue
		}
		e := mutate.Composite("closeonce", parts[g]...)
		e.Belief = 1
		if w.Applies(e) {
			out = append(out, e)
		}
	}
	return out
}
