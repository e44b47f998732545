package noise

import (
	"go/ast"
	"go/types"
	"reflect"

	"mendel/internal/rewrite/operations"
)

// A recogniser tells what nodes do, outside function literals. Nil nodes do nothing.
type recogniser interface {
	synchronises(ast.Node) bool
	mentions(ast.Node) bool       // a narrowed variable
	receives(*ast.RangeStmt) bool // from a channel
}

// typed recognises operations and variables by their types.
type typed struct {
	info *types.Info
	pkg  *types.Package
	vars map[variable]bool
}

// A variable is a narrowed one, in all programs that are made of the original.
type variable struct {
	path, name string
	field      bool
}

func variableOf(v *types.Var) variable {
	path := ""
	if v.Pkg() != nil {
		path = v.Pkg().Path()
	}
	return variable{path, v.Name(), v.IsField()}
}

func (r typed) synchronises(n ast.Node) bool {
	if isNil(n) {
		return false
	}
	found := false
	w := operations.Walker{Info: r.info, Package: r.pkg, Shallow: true, Visit: func(op operations.Operation) {
		found = found || !op.Kind.IsAccess() && op.Form != operations.Value && operations.KindOf(op.Func) != operations.Subtest
	}}
	w.Walk(n)
	return found
}

func (r typed) mentions(n ast.Node) bool {
	return anyNode(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := r.info.ObjectOf(id).(*types.Var)
		return ok && r.vars[variableOf(v)]
	})
}

func (r typed) receives(s *ast.RangeStmt) bool { return operations.IsChannel(r.info.TypeOf(s.X)) }

// relevant reports whether nodes synchronise or mention a narrowed variable.
func (in *instrumenter) relevant(nodes ...ast.Node) bool {
	for _, n := range nodes {
		if in.synchronises(n) || in.mentions(n) {
			return true
		}
	}
	return false
}

// anyNode reports whether a condition holds for a node or one below it, outside
// function literals.
func anyNode(root ast.Node, holds func(ast.Node) bool) bool {
	if isNil(root) {
		return false
	}
	found := false
	ast.Inspect(root, func(n ast.Node) bool {
		if _, literal := n.(*ast.FuncLit); found || literal || n == nil {
			return false
		}
		found = holds(n)
		return !found
	})
	return found
}

// isNil sees through an interface that holds a nil pointer, as the optional
// parts of a statement do.
func isNil(n ast.Node) bool {
	if n == nil {
		return true
	}
	v := reflect.ValueOf(n)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
