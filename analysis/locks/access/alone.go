package access

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/owned"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// alone reports whether nobody can get in the way of a use.
func alone(m *locks.View, u Use) bool {
	return unpublished(m, u) || !m.Started(u.In) && waitedFor(m, u)
}

// unpublished reports whether nobody else can have the value of a use yet.
func unpublished(m *locks.View, u Use) bool {
	decl, declared := u.In.Node.(*ast.FuncDecl)
	switch {
	case declared && decl.Recv == nil && decl.Name.Name == "init":
		return true
	case u.Obj.IsField():
		root := u.Base.Root
		return root != nil && (owned.At(m, u.In, root, u.At.Pos(), owned.MaxOwners) || u.Base.Text == "" && owned.Copied(m, u.In, root))
	case u.Obj.Parent() == u.Obj.Pkg().Scope():
		return false
	}
	return !m.Started(u.In) && beforeGoroutines(m, u.In, u.At.Pos())
}

// waits are the methods behind which what others have done before is seen: those that wait
// for a group of goroutines to end, and the one that lets the first caller work.
var waits = []string{"(*sync.WaitGroup).Wait", "(*golang.org/x/sync/errgroup.Group).Wait", "(*sync.Once).Do"}

// waitedFor reports whether a use is behind a wait for a group of goroutines, or behind the
// call of sync.Once that gave the variable its value.
func waitedFor(m *locks.View, u Use) bool {
	for _, call := range meetingsOf(m, u.In).waits {
		if call.End() > u.At.Pos() {
			continue
		}
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); !ok || sel.Sel.Name != "Do" || len(call.Args) == 1 && assigns(u.In.Info(), call.Args[0], u.Obj) {
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
func meetingsOf(m *locks.View, fn *program.Func) *meetings {
	for fn.Up != nil && !m.Started(fn) {
		fn = fn.Up
	}
	if found := tables.Of(m).meeting[fn]; found != nil {
		return found
	}
	found := new(meetings)
	info := fn.Info()
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
	tables.Of(m).meeting[fn] = found
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
func beforeGoroutines(m *locks.View, fn *program.Func, at token.Pos) bool {
	first := meetingsOf(m, fn).first
	return !first.IsValid() || at < first
}
