package locks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// alone reports whether nobody can get in the way of a use.
func (m *View) alone(u Use) bool {
	return m.unpublished(u) || !m.startedAt(u.In) && m.waitedFor(u)
}

// unpublished reports whether nobody else can have the value of a use yet.
func (m *View) unpublished(u Use) bool {
	decl, declared := u.In.Node.(*ast.FuncDecl)
	switch {
	case declared && decl.Recv == nil && decl.Name.Name == "init":
		return true
	case u.obj.IsField():
		root := u.base.Root
		return root != nil && (m.owned(u.In, root, u.At.Pos(), maxOwners) || u.base.Text == "" && m.copied(u.In, root))
	case u.obj.Parent() == u.obj.Pkg().Scope():
		return false
	}
	return !m.startedAt(u.In) && m.beforeGoroutines(u.In, u.At.Pos())
}

// copied reports whether a variable is a struct of the function's own, and no pointer to it
// is made: what is done to it is done to a copy.
func (m *View) copied(fn *Func, v types.Object) bool {
	if !isStruct(v.Type()) || fn.Decl == nil || v.Parent() == nil || v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return false
	}
	own, known := m.copies[v]
	if !known {
		own = m.findCopied(fn, v)
		m.copies[v] = own
	}
	return own
}

func (m *View) findCopied(fn *Func, v types.Object) bool {
	own := true
	syntax.Walk(fn.Decl.Body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !own || !ok || fn.info().Uses[id] != v || len(path) == 0 {
			return
		}
		for _, up := range path {
			switch up := up.(type) {
			case *ast.GoStmt:
				own = false
			case *ast.FuncLit:
				if lit := m.Of(up); lit != nil && m.startedAt(lit) {
					own = false
				}
			}
		}
		if u, ok := path[len(path)-1].(*ast.UnaryExpr); ok && u.Op == token.AND {
			own = false
		}
	})
	return own
}

// ofCopy reports whether a path leads to a part of a struct of the function's own, with no
// pointer on the way.
func (m *View) ofCopy(fn *Func, p Path) bool {
	if p.Root == nil || !m.copied(fn, p.Root) {
		return false
	}
	t := p.Root.Type()
	for name := range strings.SplitSeq(strings.TrimPrefix(p.Text, "."), ".") {
		if name == "" {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(t, true, p.Root.Pkg(), name)
		field, ok := obj.(*types.Var)
		if !ok || deref(field.Type()) != field.Type() {
			return false
		}
		t = field.Type()
	}
	return true
}

// maxOwners is over how many calls it is followed that a value has just been made. Guessed.
const maxOwners = 3

// owned reports whether the value of a variable is not known to anybody else at a place
// of a function: the function, or all that call it, have just made it.
func (m *View) owned(fn *Func, v types.Object, at token.Pos, calls int) bool {
	switch {
	case v == fn.recv, slices.Contains(fn.params, v):
		return calls > 0 && at <= m.published(fn, v) && m.givenOwned(fn, v, calls-1)
	case fn.Decl != nil && (v.Pos() < fn.Decl.Body.Pos() || v.Pos() > fn.Decl.Body.End()):
		return false
	}
	value := m.localsOf(fn).alias[v]
	// A variable that is a struct itself is a copy of what it is set to.
	if !isStruct(v.Type()) && (value == nil || !m.makes(fn, value)) {
		return false
	}
	return at <= m.published(fn, v)
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// GivenFresh reports whether a field is selected from a parameter or the receiver of a
// function, and all that call the function, such as a constructor that applies options, have
// just made the value. Nobody else knows it at the place of the field.
func (of *Model) GivenFresh(fn *Func, field *ast.SelectorExpr) bool {
	m := of.Lock()
	defer of.Unlock()
	root := m.path(fn, field.X).Root
	return root != nil && (root == fn.recv || slices.Contains(fn.params, root)) && m.owned(fn, root, field.Pos(), maxOwners)
}

// A givenQuestion is what givenOwned is asked.
type givenQuestion struct {
	fn    *Func
	v     types.Object
	calls int
}

// givenOwned reports whether all calls of a function give it a value that nobody else
// knows, as a receiver or argument.
func (m *View) givenOwned(fn *Func, v types.Object, calls int) bool {
	q := givenQuestion{fn, v, calls}
	owned, known := m.givenTo[q]
	if !known {
		owned = m.findGivenOwned(fn, v, calls)
		m.givenTo[q] = owned
	}
	return owned
}

func (m *View) findGivenOwned(fn *Func, v types.Object, calls int) bool {
	if fn.Up != nil {
		return m.appliedToOwned(fn, v, calls)
	}
	if fn.object == nil || fn.object.Exported() && fn.object.Pkg().Name() != "main" || m.ready().escaped[fn.object] {
		return false
	}
	found := false
	for _, s := range slices.Concat(m.sitesOf(fn), m.dynamicSites(fn)) {
		if s.in.File.Test {
			continue
		}
		for _, a := range m.given(s.in, s.call, fn) {
			if a.obj != v {
				continue
			}
			if a.path.Root == nil || a.path.Text != "" || !m.owned(s.in, a.path.Root, s.call.Pos(), calls) {
				return false
			}
			found = true
		}
	}
	return found
}

// makes reports whether an expression is a new value: a literal, or what a function of the
// module with a name such as newAccount returns.
func (m *View) makes(fn *Func, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		_, lit := ast.Unparen(e.X).(*ast.CompositeLit)
		return e.Op == token.AND && lit
	case *ast.CallExpr:
		if syntax.Builtin(fn.info(), e) == "new" {
			return true
		}
		f := syntax.Callee(fn.info(), e.Fun)
		return f != nil && m.declared(f.Origin()) != nil && strings.HasPrefix(strings.ToLower(f.Name()), "new")
	}
	return false
}

// waits are the methods behind which what others have done before is seen: those that wait
// for a group of goroutines to end, and the one that lets the first caller work.
var waits = []string{"(*sync.WaitGroup).Wait", "(*golang.org/x/sync/errgroup.Group).Wait", "(*sync.Once).Do"}

// waitedFor reports whether a use is behind a wait for a group of goroutines, or behind the
// call of sync.Once that gave the variable its value.
func (m *View) waitedFor(u Use) bool {
	for _, call := range m.meetingsOf(u.In).waits {
		if call.End() > u.At.Pos() {
			continue
		}
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); !ok || sel.Sel.Name != "Do" || len(call.Args) == 1 && assigns(u.In.info(), call.Args[0], u.obj) {
			return true
		}
	}
	return false
}

// meetings are where a function waits for others, by groups and by sync.Once, and where it
// starts the first goroutine.
type meetings struct {
	waits []*ast.CallExpr
	first token.Pos
}

// meetingsOf finds the meetings of the outermost function that runs as the same goroutine
// as one does.
func (m *View) meetingsOf(fn *Func) *meetings {
	for fn.Up != nil && !m.startedAt(fn) {
		fn = fn.Up
	}
	if found := m.meeting[fn]; found != nil {
		return found
	}
	found := new(meetings)
	info := fn.info()
	syntax.Now(fn.Body, func(n ast.Node) {
		if !found.first.IsValid() && syntax.Started(info, n) != nil {
			found.first = n.Pos()
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		if f := syntax.Callee(info, call.Fun); f != nil && slices.Contains(waits, f.FullName()) {
			found.waits = append(found.waits, call)
		}
	})
	m.meeting[fn] = found
	return found
}

// assigns reports whether a function literal assigns to a variable; of another function it
// is not known.
func assigns(info *types.Info, fun ast.Expr, v *types.Var) bool {
	lit, ok := ast.Unparen(fun).(*ast.FuncLit)
	if !ok {
		return true
	}
	return syntax.Any(lit.Body, func(n ast.Node) bool {
		s, ok := n.(ast.Stmt)
		return ok && slices.ContainsFunc(syntax.Assigned(s), func(e ast.Expr) bool { return syntax.Variable(info, e) == v })
	})
}

// beforeGoroutines reports whether a place of a declaration's text is before the first
// goroutine that it starts.
func (m *View) beforeGoroutines(fn *Func, at token.Pos) bool {
	first := m.meetingsOf(fn).first
	return !first.IsValid() || at < first
}
