package pointerreceiver

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// onlySelects reports whether a method does nothing with its receiver but
// select from it, and changes none of what is its own copy, but under the lock.
func onlySelects(fn *mutate.Function, decl *ast.FuncDecl) bool {
	if len(decl.Recv.List[0].Names) == 0 {
		return true
	}
	info := fn.File.Package.Info
	recv := info.Defs[decl.Recv.List[0].Names[0]]
	shared := recv != nil && locks(fn, decl, recv)
	fits := true
	syntax.Walk(decl.Body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || recv == nil || info.Uses[id] != recv {
			return
		}
		// Go out as long as it is the copy that is named.
		var part ast.Expr = id
		for i := len(path) - 1; i >= 0; i-- {
			outer, inside := partOf(info, path[i], part)
			if !inside {
				fits = fits && part != ast.Expr(id) && (shared || !changes(path[i], part))
				return
			}
			part = outer
		}
	})
	return fits
}

// locks reports whether a method acquires a lock of its receiver: then it takes its copy
// for what others have, too, and what it changes is meant for them.
func locks(fn *mutate.Function, decl *ast.FuncDecl, recv types.Object) bool {
	return syntax.Any(decl.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
				_, _, lock := fn.Program.LockCall(fn.File, call)
				of := sel.X
				for inner, ok := of.(*ast.SelectorExpr); ok; inner, ok = of.(*ast.SelectorExpr) {
					of = inner.X
				}
				id, ok := of.(*ast.Ident)
				return lock && ok && fn.File.Package.Info.Uses[id] == recv
			}
		}
		return false
	})
}

// partOf is an expression that names a part of what its operand names: a field
// of a struct, an element of an array.
func partOf(info *types.Info, n ast.Node, of ast.Expr) (part ast.Expr, ok bool) {
	switch n := n.(type) {
	case *ast.ParenExpr:
		return n, true
	case *ast.SelectorExpr:
		return n, true
	case *ast.IndexExpr:
		if n.X != of {
			return nil, false
		}
		_, array := info.TypeOf(of).Underlying().(*types.Array)
		return n, array
	}
	return nil, false
}

// changes reports whether a node assigns to an operand or takes its address.
func changes(n ast.Node, operand ast.Expr) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, lhs := range n.Lhs {
			if lhs == operand {
				return true
			}
		}
	case *ast.IncDecStmt:
		return true
	case *ast.UnaryExpr:
		return n.Op == token.AND
	case *ast.RangeStmt:
		return n.Key == operand || n.Value == operand
	}
	return false
}

// named reports whether a method is used other than to be called on what has an address.
func named(p *analysis.Program, method *types.Func) bool {
	found := false
	each(p, func(f *analysis.File, n ast.Node, path []ast.Node) {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || found {
			return
		}
		s := f.Package.Info.Selections[sel]
		if s == nil || !same(s.Obj(), method) {
			return
		}
		call, called := path[len(path)-1].(*ast.CallExpr)
		operand := f.Package.Info.Types[sel.X]
		found = s.Kind() == types.MethodExpr || !called || call.Fun != ast.Expr(sel) || !s.Indirect() && !operand.Addressable()
	})
	return found
}

// missed reports whether a value that would lose the method becomes an
// interface somewhere that does not ask for it: it may be asked for at run time.
func missed(p *analysis.Program, method *types.Func) bool {
	found := false
	each(p, func(f *analysis.File, n ast.Node, path []ast.Node) {
		e, ok := n.(ast.Expr)
		if !ok || found || len(path) == 0 {
			return
		}
		tv := f.Package.Info.Types[e]
		if !tv.IsValue() || types.IsInterface(tv.Type) || !loses(tv.Type, method) {
			return
		}
		to := target(f.Package.Info, path, e)
		found = to != nil && types.IsInterface(to)
	})
	return found
}

// loses reports whether values of a type have a method that they will not have
// when its receiver is a pointer.
func loses(t types.Type, method *types.Func) bool {
	sel := types.NewMethodSet(t).Lookup(method.Pkg(), method.Name())
	return sel != nil && same(sel.Obj(), method) && !sel.Indirect()
}

func same(obj types.Object, method *types.Func) bool {
	f, ok := obj.(*types.Func)
	return ok && f.Origin() == method
}

// target is the type that an expression's value is converted to where it is
// used; nil if there is none, or none that matters.
func target(info *types.Info, path []ast.Node, e ast.Expr) types.Type {
	switch n := path[len(path)-1].(type) {
	case *ast.ParenExpr:
		return target(info, path[:len(path)-1], n)
	case *ast.CallExpr:
		return parameter(info, n, e)
	case *ast.AssignStmt:
		for i, rhs := range n.Rhs {
			if rhs == e && len(n.Lhs) == len(n.Rhs) {
				return info.TypeOf(n.Lhs[i])
			}
		}
	case *ast.ValueSpec:
		if n.Type != nil {
			return info.TypeOf(n.Type)
		}
	case *ast.SendStmt:
		if ch, ok := info.TypeOf(n.Chan).Underlying().(*types.Chan); ok && n.Value == e {
			return ch.Elem()
		}
	case *ast.ReturnStmt:
		return result(info, path, e)
	case *ast.KeyValueExpr:
		return element(info, path[:len(path)-1], n, e)
	case *ast.CompositeLit:
		return element(info, path, e, e)
	}
	return nil
}

// parameter is the type of what a call takes an argument as.
func parameter(info *types.Info, call *ast.CallExpr, e ast.Expr) types.Type {
	tv := info.Types[call.Fun]
	if tv.IsType() {
		return tv.Type
	}
	sig, ok := tv.Type.Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	for i, arg := range call.Args {
		if arg != e {
			continue
		}
		last := sig.Params().Len() - 1
		if sig.Variadic() && i >= last && !call.Ellipsis.IsValid() {
			return sig.Params().At(last).Type().(*types.Slice).Elem()
		}
		return sig.Params().At(min(i, last)).Type()
	}
	return nil
}

// result is the type of the result that a function returns a value as.
func result(info *types.Info, path []ast.Node, e ast.Expr) types.Type {
	ret := path[len(path)-1].(*ast.ReturnStmt)
	for i := len(path) - 1; i >= 0; i-- {
		var sig *types.Signature
		switch n := path[i].(type) {
		case *ast.FuncLit:
			sig, _ = info.TypeOf(n).(*types.Signature)
		case *ast.FuncDecl:
			sig, _ = info.Defs[n.Name].Type().(*types.Signature)
		}
		if sig == nil {
			continue
		}
		for k, r := range ret.Results {
			if r == e && k < sig.Results().Len() {
				return sig.Results().At(k).Type()
			}
		}
		return nil
	}
	return nil
}

// element is the type that a composite literal, the last of a path, has for an
// operand of one of its elements.
func element(info *types.Info, path []ast.Node, elt, operand ast.Expr) types.Type {
	lit, ok := path[len(path)-1].(*ast.CompositeLit)
	if !ok {
		return nil
	}
	t := info.TypeOf(lit)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	kv, keyed := elt.(*ast.KeyValueExpr)
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	case *types.Map:
		if keyed && kv.Key == operand {
			return t.Key()
		}
		return t.Elem()
	case *types.Struct:
		if keyed {
			return info.TypeOf(kv.Key)
		}
		for i, e := range lit.Elts {
			if e == elt && i < t.NumFields() {
				return t.Field(i).Type()
			}
		}
	}
	return nil
}

// each visits all files of a program with the nodes around each node.
func each(p *analysis.Program, visit func(f *analysis.File, n ast.Node, path []ast.Node)) {
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			syntax.Walk(f.AST, func(n ast.Node, path []ast.Node) { visit(f, n, path) })
		}
	}
}
