package owned

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// Copied reports whether a variable is a struct of the function's own, and no pointer to it
// is made: what is done to it is done to a copy.
func Copied(m *locks.View, fn *program.Func, v types.Object) bool {
	if !isStruct(v.Type()) || fn.Decl == nil || v.Parent() == nil || v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return false
	}
	own, known := tables.Of(m).copies[v]
	if !known {
		own = findCopied(m, fn, v)
		tables.Of(m).copies[v] = own
	}
	return own
}

func findCopied(m *locks.View, fn *program.Func, v types.Object) bool {
	own := true
	syntax.Walk(fn.Decl.Body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !own || !ok || fn.Info().Uses[id] != v || len(path) == 0 {
			return
		}
		for _, up := range path {
			switch up := up.(type) {
			case *ast.GoStmt:
				own = false
			case *ast.FuncLit:
				if lit := m.Of(up); lit != nil && m.Started(lit) {
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

// Copy reports whether a path leads to a part of a struct of the function's own, with no
// pointer on the way.
func Copy(m *locks.View, fn *program.Func, p naming.Path) bool {
	if p.Root == nil || !Copied(m, fn, p.Root) {
		return false
	}
	t := p.Root.Type()
	for name := range strings.SplitSeq(strings.TrimPrefix(p.Text, "."), ".") {
		if name == "" {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(t, true, p.Root.Pkg(), name)
		field, ok := obj.(*types.Var)
		if !ok || program.Deref(field.Type()) != field.Type() {
			return false
		}
		t = field.Type()
	}
	return true
}

// maxOwners is over how many calls it is followed that a value has just been made. Guessed.
const MaxOwners = 3

// At reports whether the value of a variable is not known to anybody else at a place
// of a function: the function, or all that call it, have just made it.
func At(m *locks.View, fn *program.Func, v types.Object, at token.Pos, calls int) bool {
	switch {
	case v == fn.Recv, slices.Contains(fn.Params, v):
		return calls > 0 && at <= published(m, fn, v) && givenOwned(m, fn, v, calls-1)
	case fn.Decl != nil && (v.Pos() < fn.Decl.Body.Pos() || v.Pos() > fn.Decl.Body.End()):
		return false
	}
	value := m.LocalsOf(fn).First[v]
	// A variable that is a struct itself is a copy of what it is set to.
	if !isStruct(v.Type()) && (value == nil || !Makes(m, fn, value)) {
		return false
	}
	return at <= published(m, fn, v)
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// GivenFresh reports whether a field is selected from a parameter or the receiver of a
// function, and all that call the function, such as a constructor that applies options, have
// just made the value. Nobody else knows it at the place of the field.
func GivenFresh(of *locks.Model, fn *program.Func, field *ast.SelectorExpr) bool {
	m := of.Lock()
	defer of.Unlock()
	root := m.PathOf(fn, field.X).Root
	return root != nil && (root == fn.Recv || slices.Contains(fn.Params, root)) && At(m, fn, root, field.Pos(), MaxOwners)
}

// A givenQuestion is what givenOwned is asked.
type givenQuestion struct {
	fn    *program.Func
	v     types.Object
	calls int
}

// givenOwned reports whether all calls of a function give it a value that nobody else
// knows, as a receiver or argument.
func givenOwned(m *locks.View, fn *program.Func, v types.Object, calls int) bool {
	q := givenQuestion{fn, v, calls}
	owned, known := tables.Of(m).givenTo[q]
	if !known {
		owned = findGivenOwned(m, fn, v, calls)
		tables.Of(m).givenTo[q] = owned
	}
	return owned
}

func findGivenOwned(m *locks.View, fn *program.Func, v types.Object, calls int) bool {
	if fn.Up != nil {
		return appliedToOwned(m, fn, v, calls)
	}
	if fn.Object == nil || fn.Object.Exported() && fn.Object.Pkg().Name() != "main" || m.Index().Escaped[fn.Object] || len(m.Lent(fn)) > 0 {
		return false
	}
	found := false
	for _, s := range slices.Concat(m.Sites(fn), m.DynamicSites(fn)) {
		if s.In.File.Test {
			continue
		}
		for _, a := range m.Given(s.In, s.Call, fn) {
			if a.Obj != v {
				continue
			}
			if a.Path.Root == nil || a.Path.Text != "" || !At(m, s.In, a.Path.Root, s.Call.Pos(), calls) {
				return false
			}
			found = true
		}
	}
	return found
}

// Makes reports whether an expression is a new value: a literal, or what a function of the
// module with a name such as newAccount returns.
func Makes(m *locks.View, fn *program.Func, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		_, lit := ast.Unparen(e.X).(*ast.CompositeLit)
		return e.Op == token.AND && lit
	case *ast.CallExpr:
		if syntax.Builtin(fn.Info(), e) == "new" {
			return true
		}
		f := syntax.Callee(fn.Info(), e.Fun)
		return f != nil && m.Declared(f.Origin()) != nil && strings.HasPrefix(strings.ToLower(f.Name()), "new")
	}
	return false
}

// GivesOwned reports whether a call gives a function a value that its caller has just made.
func GivesOwned(m *locks.View, at locks.Entrance, fn *program.Func, value naming.Path) bool {
	return slices.ContainsFunc(m.Given(at.In, at.Naming(fn), fn), func(a naming.Argument) bool {
		return a.Obj == value.Root && a.Path.Root != nil && a.Path.Text == "" && At(m, at.In, a.Path.Root, at.Call.Pos(), MaxOwners)
	})
}
