package wakeafter

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/conditions"
)

// A waker is a call by which values of a type wake those who wait.
type waker struct {
	owner  *types.Named
	call   string                  // behind the value: ".ready.Broadcast()", ".wake()"
	method *mutate.Function        // what is called; nil for a condition variable
	cond   *types.Var              // else
	fields map[*types.Var]bool     // what those who wait, or the method, decide by
	waits  map[*ast.BlockStmt]bool // bodies of the functions that wait for the condition variable
	kinds  []string                // changes behind which it stands; see change.kind
}

// wakers are those of a function's package.
func wakers(fn *mutate.Function) []*waker {
	type wakersOf struct{ pkg *analysis.Package }
	return mutate.Once(fn, wakersOf{fn.File.Package}, func() []*waker {
		all := append(methods(fn), conds(fn)...)
		for _, g := range fn.OfPackage() {
			if g.File.Test {
				continue
			}
			for _, st := range g.Statements() {
				for _, c := range changes(g, st.Stmt) {
					for _, w := range all {
						if w.fields[c.field] && w.in(g, st.List[st.Index+1:]...) {
							w.kinds = append(w.kinds, c.kind())
						}
					}
				}
			}
		}
		return all
	})
}

// methods are the wakers that are methods, called somewhere.
func methods(fn *mutate.Function) (all []*waker) {
	called := map[*types.Func]bool{}
	for _, g := range fn.OfPackage() {
		ast.Inspect(g.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if f := syntax.Callee(g.File.Package.Info, call.Fun); f != nil {
					called[f.Origin()] = true
				}
			}
			return true
		})
	}
	for _, g := range fn.OfPackage() {
		decl, ok := g.Node.(*ast.FuncDecl)
		if !ok || decl.Recv == nil || decl.Name.IsExported() || g.File.Test || decl.Type.Params.NumFields() > 0 || decl.Type.Results.NumFields() > 0 || !wakes(g) {
			continue
		}
		info := g.File.Package.Info
		f, _ := info.Defs[decl.Name].(*types.Func)
		owner := ownerOf(info.TypeOf(decl.Recv.List[0].Type))
		if owner == nil || !called[f] || len(g.Sections()) > 0 {
			continue
		}
		w := &waker{owner: owner, call: "." + decl.Name.Name + "()", method: g, fields: fieldsIn(g, g.Body)}
		all = append(all, w)
	}
	return all
}

// wakes reports whether a function closes a channel, sends or signals.
func wakes(fn *mutate.Function) bool {
	for _, c := range conditions.Calls(fn) {
		if c.Method != "Wait" {
			return true
		}
	}
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			return true
		case *ast.CallExpr:
			return syntax.Builtin(fn.File.Package.Info, n) == "close"
		}
		return false
	})
}

// conds are the wakers of condition variables that somebody waits for in a loop: Broadcast where one is called, else
// Signal.
func conds(fn *mutate.Function) (all []*waker) {
	byCond := map[*types.Var]*waker{}
	method := map[*types.Var]string{}
	for _, g := range fn.OfPackage() {
		if g.File.Test {
			continue
		}
		for _, c := range conditions.Calls(g) {
			sel, ok := ast.Unparen(c.On).(*ast.SelectorExpr)
			if c.Cond == nil || !ok {
				continue
			}
			if c.Method != "Wait" {
				if method[c.Cond] != "Broadcast" {
					method[c.Cond] = c.Method
				}
				continue
			}
			info := g.File.Package.Info
			owner := ownerOf(info.TypeOf(syntax.Owner(info, sel.X)))
			if owner == nil {
				continue
			}
			w := byCond[c.Cond]
			if w == nil {
				w = &waker{owner: owner, cond: c.Cond, call: "." + syntax.Below(info, sel), fields: map[*types.Var]bool{}, waits: map[*ast.BlockStmt]bool{}}
				byCond[c.Cond] = w
				all = append(all, w)
			}
			w.waits[g.Body] = true
			for f := range condition(g, c.Expr) {
				w.fields[f] = true
			}
		}
	}
	for _, w := range all {
		if method[w.cond] == "" {
			method[w.cond] = "Broadcast"
		}
		w.call += "." + method[w.cond] + "()"
	}
	return all
}

// condition are the fields that the innermost loop around a Wait decides by.
func condition(fn *mutate.Function, wait *ast.CallExpr) map[*types.Var]bool {
	var loop *ast.ForStmt
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if f, ok := n.(*ast.ForStmt); ok && f.Pos() <= wait.Pos() && wait.End() <= f.End() {
			loop = f
		}
		return true
	})
	if loop == nil {
		return nil
	}
	if loop.Cond != nil {
		return fieldsIn(fn, loop.Cond)
	}
	found := map[*types.Var]bool{}
	for _, s := range loop.Body.List {
		if test, ok := s.(*ast.IfStmt); ok {
			for f := range fieldsIn(fn, test.Cond) {
				found[f] = true
			}
		}
	}
	return found
}

// fieldsIn are the fields that code uses, those that synchronise left out.
func fieldsIn(fn *mutate.Function, code ast.Node) map[*types.Var]bool {
	found := map[*types.Var]bool{}
	ast.Inspect(code, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if v, ok := fn.File.Package.Info.Uses[sel.Sel].(*types.Var); ok && v.IsField() && !synchronises(v.Type()) {
				found[v.Origin()] = true
			}
		}
		return true
	})
	return found
}

// synchronises reports whether a variable of a type is a channel or of package sync.
func synchronises(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if _, ok := t.Underlying().(*types.Chan); ok {
		return true
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync"
}

func ownerOf(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	if named == nil {
		return nil
	}
	return named.Origin()
}

// concerns reports whether a change, under a lock, is of what the waker is for, and not in what wakes or waits itself.
func (w *waker) concerns(fn *mutate.Function, st mutate.Statement, c change) bool {
	return w.fields[c.field] && ownerOf(fn.File.Package.Info.TypeOf(c.of)) == w.owner &&
		fn.Node != w.node() && !w.waits[fn.Body] && len(fn.HeldAt(st.Stmt)) > 0
}

// early are the returns between a change and what wakes behind it.
func (w *waker) early(fn *mutate.Function, st mutate.Statement) (all []*ast.ReturnStmt) {
	var wake ast.Stmt
	for _, s := range fn.Statements() {
		if wake == nil && s.Stmt.Pos() > st.Stmt.End() && w.in(fn, s.Stmt) && !w.apart(fn, st, s.Stmt) {
			wake = s.Stmt
		}
	}
	if wake == nil {
		return nil
	}
	for _, s := range fn.Statements() {
		ret, ok := s.Stmt.(*ast.ReturnStmt)
		if ok && ret.Pos() > st.Stmt.End() && ret.End() <= wake.Pos() && !w.apart(fn, st, ret) {
			all = append(all, ret)
		}
	}
	return all
}

func (w *waker) node() ast.Node {
	if w.method == nil {
		return nil
	}
	return w.method.Node
}

// wakesBehind reports whether something behind a statement wakes, in its list or those around it, or is deferred.
func (w *waker) wakesBehind(fn *mutate.Function, st mutate.Statement) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			return w.in(fn, d)
		}
		s, ok := n.(ast.Stmt)
		return ok && s.Pos() > st.Stmt.End() && w.in(fn, s) && !w.apart(fn, st, s)
	})
}

// apart reports whether two statements are in different branches of one.
func (w *waker) apart(fn *mutate.Function, a mutate.Statement, b ast.Stmt) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		var branches []ast.Node
		switch n := n.(type) {
		case *ast.IfStmt:
			if n.Else != nil {
				branches = []ast.Node{n.Body, n.Else}
			}
		case *ast.BlockStmt:
			for _, s := range n.List {
				switch s.(type) {
				case *ast.CaseClause, *ast.CommClause:
					branches = append(branches, s)
				}
			}
		}
		in := func(s ast.Node) int {
			return slices.IndexFunc(branches, func(b ast.Node) bool { return b.Pos() <= s.Pos() && s.End() <= b.End() })
		}
		i, j := in(a.Stmt), in(b)
		return i >= 0 && j >= 0 && i != j
	})
}

// in reports whether statements have a call of the waker, or one of a function that has.
func (w *waker) in(fn *mutate.Function, stmts ...ast.Stmt) bool {
	is := func(g *mutate.Function, n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return false
		}
		if w.cond != nil {
			v := syntax.Variable(g.File.Package.Info, sel.X)
			return v != nil && v.Origin() == w.cond && (sel.Sel.Name == "Signal" || sel.Sel.Name == "Broadcast")
		}
		f := syntax.Callee(g.File.Package.Info, call.Fun)
		return f != nil && g.File.Package.Info.Defs[w.method.Node.(*ast.FuncDecl).Name] == types.Object(f.Origin())
	}
	for _, s := range stmts {
		if syntax.Any(s, func(n ast.Node) bool { return is(fn, n) }) {
			return true
		}
	}
	for _, c := range fn.Calls(stmts...) {
		if syntax.Any(c.To.Body, func(n ast.Node) bool { return is(c.To, n) }) {
			return true
		}
	}
	return false
}
