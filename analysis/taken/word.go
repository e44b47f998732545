package taken

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A wait is a place at which a function gives up waiting at a value that it has received, or that a call has given it.
type wait struct {
	file *analysis.File
	fn   string
	got  ast.Stmt // where it has the value from
	from string   // the channel or the function, as a key
	of   *ast.Ident
	list []ast.Stmt
	exit ast.Stmt
	word string // what it says to the value: ".interruptFunc()"; "": nothing
	uses bool   // it does something else with the value
}

// words lists the ways out that give up waiting at a value and do not say so, as others do of values from there.
func words(pkgs []*analysis.Package) (all []Loss) {
	var waits []wait
	said, silent := map[string]string{}, map[string]bool{}
	visit(pkgs, func(f *analysis.File, name string, _ *ast.FuncType, body *ast.BlockStmt) {
		for _, w := range waitsOf(f, body) {
			w.fn = name
			waits = append(waits, w)
			if w.word != "" {
				silent[w.from] = silent[w.from] || said[w.from] != "" && said[w.from] != w.word // not the same everywhere
				said[w.from] = w.word
			}
		}
	})
	for _, w := range waits {
		if word := said[w.from]; word != "" && w.word == "" && !w.uses && !silent[w.from] {
			all = append(all, Loss{File: w.file, Func: w.fn, Take: w.got, Key: w.from + word, Of: w.of, Give: w.of.Name + word, Word: true, At: w.list[0], Exit: w.exit})
		}
	}
	return all
}

// waitsOf lists the places of a function at which it gives up: cases of a select that return, where another case waits
// at a channel of the value.
func waitsOf(f *analysis.File, body *ast.BlockStmt) (all []wait) {
	info := f.Package.Info
	got := map[*types.Var]wait{}
	var order []*types.Var
	syntax.WalkOwn(body, func(n ast.Node, _ []ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if v, from := source(info, n); v != nil {
				if _, again := got[v]; again {
					from = "" // it is not one value
					order = slices.DeleteFunc(order, func(o *types.Var) bool { return o == v })
				}
				got[v] = wait{got: n, from: from, of: n.Lhs[0].(*ast.Ident)}
				order = append(order, v)
			}
		case *ast.SelectStmt:
			for _, v := range order {
				w := got[v]
				if w.from == "" || !waitsAt(info, n, v) {
					continue
				}
				for _, c := range n.Body.List {
					clause := c.(*ast.CommClause)
					if clause.Comm == nil || len(clause.Body) == 0 || mentions(info, clause.Comm, v) || !program.LeavesAtEnd(info, clause.Body) {
						continue
					}
					w := w
					w.file, w.list, w.exit = f, clause.Body, clause.Body[len(clause.Body)-1]
					w.word, w.uses = wordIn(info, clause.Body, v)
					all = append(all, w)
				}
			}
		}
	})
	return all
}

// source is the variable of a struct, or pointer to one, that a statement has from a channel or a call, and which
// one that is.
func source(info *types.Info, a *ast.AssignStmt) (v *types.Var, from string) {
	if len(a.Rhs) != 1 {
		return nil, ""
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	if !ok {
		return nil, ""
	}
	v, _ = info.ObjectOf(id).(*types.Var)
	if v == nil || ownerless(v.Type()) {
		return nil, ""
	}
	switch e := ast.Unparen(a.Rhs[0]).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.ARROW && syntax.Plain(e.X) {
			return v, "received from " + keyOf(info, e.X)
		}
	case *ast.CallExpr:
		if to := syntax.Callee(info, e.Fun); to != nil {
			return v, "from " + to.FullName()
		}
	}
	return v, ""
}

// ownerless reports whether a type is no struct that may have a word for whoever gives up.
func ownerless(t types.Type) bool {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	return !ok || s.NumFields() == 0
}

// waitsAt reports whether a case of a select waits at a channel of a value.
func waitsAt(info *types.Info, s *ast.SelectStmt, v *types.Var) bool {
	for _, c := range s.Body.List {
		if comm := c.(*ast.CommClause).Comm; comm != nil {
			o, ok := OpOf(info, comm)
			if ok && (o.way == sends || o.way == receives) && mentionsChannel(info, comm, v) {
				return true
			}
		}
	}
	return false
}

// mentionsChannel reports whether the channel of a send or receive is one of a value.
func mentionsChannel(info *types.Info, comm ast.Stmt, v *types.Var) bool {
	return syntax.Any(comm, func(n ast.Node) bool {
		var ch ast.Expr
		switch n := n.(type) {
		case *ast.SendStmt:
			ch = n.Chan
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				ch = n.X
			}
		}
		sel, ok := ast.Unparen(ch).(*ast.SelectorExpr)
		return ch != nil && ok && syntax.Is(info, sel.X, v)
	})
}

// mentions reports whether code uses a variable.
func mentions(info *types.Info, code ast.Node, v *types.Var) bool {
	return syntax.Any(code, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && info.Uses[id] == v
	})
}

// wordIn is the call without arguments of a value's method or field that is among some statements; uses says that
// they do something else with the value.
func wordIn(info *types.Info, list []ast.Stmt, v *types.Var) (word string, uses bool) {
	for _, s := range list {
		if x, ok := s.(*ast.ExprStmt); ok {
			if call, ok := x.X.(*ast.CallExpr); ok && len(call.Args) == 0 {
				if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && syntax.Is(info, sel.X, v) {
					word = "." + sel.Sel.Name + "()"
					continue
				}
			}
		}
		uses = uses || mentions(info, s, v)
	}
	return word, uses
}
