package atomicrmw

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// An access is a call that loads, stores or adds to an atomic variable: a method of one
// of the types of sync/atomic or one of its functions.
type access struct {
	call   *ast.CallExpr
	store  bool
	add    bool
	target string // what is accessed, as it is written
	value  ast.Expr

	number   bool // it can be added to
	unsigned bool // but not be taken from
	truth    bool // it is a bool

	before, after string // the call around the name of the operation: "s.n." and "("
}

// accessOf takes a call that loads or stores apart; ok is false for other calls.
func accessOf(fn *mutate.Function, e ast.Expr) (a access, ok bool) {
	a, ok = callOf(fn, e)
	return a, ok && !a.add
}

// callOf takes a call apart; ok is false for other calls.
func callOf(fn *mutate.Function, e ast.Expr) (a access, ok bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return a, false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return a, false
	}
	f, ok := fn.File.Package.Info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" {
		return a, false
	}
	a.call = call
	args := call.Args
	var name, typ string
	if f.Signature().Recv() == nil {
		if name, typ, args = function(f.Name(), args); args == nil {
			return a, false
		}
		at := args[0].(*ast.UnaryExpr)
		a.target = types.ExprString(at.X)
		a.before, a.after = types.ExprString(sel.X)+".", typ+"("+types.ExprString(at)+", "
		args = args[1:]
		if fn.Path(at.X).Root == nil {
			return a, false
		}
	} else {
		if fn.File.Package.Info.Types[sel.X].IsType() || fn.Path(sel.X).Root == nil {
			return a, false
		}
		name, typ = f.Name(), typeName(f)
		a.target = types.ExprString(sel.X)
		a.before, a.after = a.target+".", "("
	}
	a.unsigned = strings.HasPrefix(typ, "Uint")
	a.number = strings.HasPrefix(typ, "Int") || a.unsigned
	a.truth = typ == "Bool"
	a.store, a.add = name == "Store", name == "Add"
	if (a.store || a.add) && len(args) == 1 {
		a.value = args[0]
	}
	return a, typ != "Value" && (name == "Load" && len(args) == 0 || a.value != nil)
}

// function splits the name of a function of sync/atomic into operation and
// type; args is nil if it is not for what has its address there.
func function(fullName string, given []ast.Expr) (name, typ string, args []ast.Expr) {
	for _, op := range []string{"Load", "Store", "Add"} {
		typ, ok := strings.CutPrefix(fullName, op)
		if !ok || len(given) == 0 {
			continue
		}
		if at, ok := ast.Unparen(given[0]).(*ast.UnaryExpr); ok && at.Op == token.AND {
			return op, typ, append([]ast.Expr{at}, given[1:]...)
		}
	}
	return "", "", nil
}

// typeName is the name of the type that a method belongs to.
func typeName(f *types.Func) string {
	t := f.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// write writes another operation on the same variable.
func (a access) write(op string, args ...string) string {
	return a.before + op + a.after + strings.Join(args, ", ") + ")"
}

// stored is the access of a statement that is a store and nothing else.
func stored(fn *mutate.Function, s ast.Stmt) (a access, ok bool) {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return a, false
	}
	a, ok = accessOf(fn, e.X)
	return a, ok && a.store
}

// uses reports whether code names an atomic variable, as it is written.
func uses(code ast.Node, target string) bool {
	return syntax.Any(code, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		return ok && types.ExprString(e) == target
	})
}
