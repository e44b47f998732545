package endwait

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

// exits are the return statements of a method; end: it also ends behind its last statement.
func leaving(fn *mutate.Function) (all []*ast.ReturnStmt, end bool) {
	for _, s := range fn.Statements() {
		if r, ok := s.Stmt.(*ast.ReturnStmt); ok {
			all = append(all, r)
		}
	}
	return all, !exits.Terminates(fn, fn.Body.List[len(fn.Body.List)-1])
}

// place says how the method can wait; "": not at all.
func (w *wait) place() string {
	all, _ := leaving(w.fn)
	held := w.defersRelease()
	for _, r := range all {
		held = held || len(w.fn.HeldAt(r)) > 0
	}
	if !held {
		return returns
	}
	switch {
	case w.defersRelease() && w.plainResults(all):
		return deferred
	case w.heldToEnd() != nil:
		return around
	}
	return ""
}

// heldToEnd is the only section of a method that computes what it returns under the lock, in its last statement; nil: it
// is not so.
func (w *wait) heldToEnd() *mutate.Section {
	sections := w.fn.Sections()
	if len(sections) != 1 || !sections[0].Deferred || sections[0].InLiteral != nil {
		return nil
	}
	last := w.fn.Body.List[len(w.fn.Body.List)-1]
	if _, ok := last.(*ast.ReturnStmt); !ok || !sections[0].Holds(last) || says(w.fn, last) {
		return nil
	}
	return sections[0]
}

// toldAt is the last statement of the method's own list that tells the goroutines to end, if no lock is held behind it and
// something else follows but a return of what is there; nil: there is none.
func (w *wait) toldAt() ast.Stmt {
	list := w.fn.Body.List
	for i := len(list) - 2; i >= 0; i-- {
		if !says(w.fn, list[i]) {
			continue
		}
		if ret, ok := list[i+1].(*ast.ReturnStmt); ok && syntax.NamesOnly(ret.Results) || len(w.fn.HeldAt(list[i+1])) > 0 {
			return nil
		}
		return list[i]
	}
	return nil
}

// defersRelease says whether the method defers the release of a lock.
func (w *wait) defersRelease() bool {
	return syntax.Any(w.fn.Body, func(n ast.Node) bool {
		d, ok := n.(*ast.DeferStmt)
		if !ok {
			return false
		}
		sel, ok := d.Call.Fun.(*ast.SelectorExpr)
		return ok && (sel.Sel.Name == "Unlock" || sel.Sel.Name == "RUnlock")
	})
}

// plainResults says whether what the method returns is computed by no call, so that it may be so
// before the goroutines have ended.
func (w *wait) plainResults(all []*ast.ReturnStmt) bool {
	info := w.fn.File.Package.Info
	for _, r := range all {
		for _, e := range r.Results {
			if syntax.Any(e, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				if !ok {
					return false
				}
				fn, static := info.Uses[calledName(c)].(*types.Func)
				return !static || fn.Pkg() == nil || fn.Pkg().Path() != "errors" && fn.Pkg().Path() != "fmt"
			}) {
				return false
			}
		}
	}
	return true
}

// calledName is the name that a call calls by; nil: none.
func calledName(c *ast.CallExpr) *ast.Ident {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		return f
	case *ast.SelectorExpr:
		return f.Sel
	}
	return nil
}
