package owned

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// An option is a function literal that others apply to a value which they make:
//
//	func WithSize(n int) Option { return func(p *Pool) { p.size = n } }
//
//	func New(options ...Option) *Pool {
//		p := &Pool{}
//		for _, apply := range options {
//			apply(p)
//		}
//
// Which literal a call of a function value runs is not followed. It may be each whose type
// is the one that is called.

// appliedToOwned reports whether all calls that may run a literal give a parameter of it a
// value that nobody else knows.
func appliedToOwned(m *locks.View, lit *program.Func, v types.Object, calls int) bool {
	i, t := slices.Index(lit.Params, v), typeUsed(m, lit)
	found := false
	for _, s := range m.Index().Applied {
		if s.In.File.Test || !mayBeOf(t, s.In.Info().TypeOf(s.Call.Fun)) {
			continue
		}
		if i >= len(s.Call.Args) || s.Call.Ellipsis.IsValid() {
			return false
		}
		p := m.PathOf(s.In, s.Call.Args[i])
		if p.Root == nil || p.Text != "" || !At(m, s.In, p.Root, s.Call.Pos(), calls) {
			return false
		}
		found = true
	}
	return found
}

// literalsOf are the literals that a call of a function value of a type may run.
func literalsOf(m *locks.View, t types.Type) (list []*program.Func) {
	for _, fn := range m.Index().Funcs {
		if _, literal := fn.Node.(*ast.FuncLit); literal && !fn.File.Test && mayBeOf(typeUsed(m, fn), t) {
			list = append(list, fn)
		}
	}
	return list
}

// typeUsed is the type that a literal is returned, converted or passed as; else its own.
func typeUsed(m *locks.View, lit *program.Func) types.Type {
	used, known := tables.Of(m).usedAs[lit]
	if !known {
		used = findTypeUsed(lit)
		tables.Of(m).usedAs[lit] = used
	}
	return used
}

func findTypeUsed(lit *program.Func) types.Type {
	info := lit.Info()
	used := info.TypeOf(lit.Node.(*ast.FuncLit))
	if lit.Up == nil {
		return used
	}
	syntax.Walk(lit.Up.Body, func(n ast.Node, path []ast.Node) {
		if n != lit.Node {
			return
		}
		switch up := path[len(path)-1].(type) {
		case *ast.ReturnStmt:
			used = resultType(info, lit.Up.Type, slices.Index(up.Results, ast.Expr(lit.Node.(*ast.FuncLit))), used)
		case *ast.CallExpr:
			used = parameterType(info, up, lit.Node, used)
		}
	})
	return used
}

// resultType is the type of a function's result; if there is no such result, the other one.
func resultType(info *types.Info, f *ast.FuncType, i int, other types.Type) types.Type {
	if f.Results == nil {
		return other
	}
	for _, field := range f.Results.List {
		if i -= max(1, len(field.Names)); i < 0 {
			return info.TypeOf(field.Type)
		}
	}
	return other
}

// parameterType is the type to which a call converts an argument, or that of its parameter;
// if it is no argument, the other one.
func parameterType(info *types.Info, call *ast.CallExpr, arg ast.Node, other types.Type) types.Type {
	i := slices.IndexFunc(call.Args, func(e ast.Expr) bool { return e == arg })
	if i < 0 {
		return other
	}
	if tv := info.Types[call.Fun]; tv.IsType() {
		return tv.Type
	}
	sig, ok := info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok {
		return other
	}
	last := sig.Params().Len() - 1
	if sig.Variadic() && i >= last {
		return sig.Params().At(last).Type().(*types.Slice).Elem()
	}
	return sig.Params().At(i).Type()
}

// mayBeOf reports whether a function value of one type may have become one of another: they
// have one name, or one has none and the signatures are the same.
func mayBeOf(a, b types.Type) bool {
	if a == nil || b == nil {
		return false
	}
	if ka, kb := program.TypeKey(a), program.TypeKey(b); ka != "" && kb != "" {
		return ka == kb
	}
	return types.TypeString(a.Underlying(), nil) == types.TypeString(b.Underlying(), nil)
}
