package addunlock

import (
	"go/ast"
	gotoken "go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A helped is a call that gives back what a call of another helper has taken before: slots of channels
// that count, or a turn of a wait group; or what a value stands for that the helper has returned.
type helped struct {
	taken   mutate.Statement // with the call that takes
	asks    *ast.IfStmt      // whether it could be taken; nil: nothing does
	release *ast.ExprStmt    // one of those that give back
	text    string           // of each
}

// helperEdits lists the exits behind such a call at which nothing is given back, as it is at others.
func helperEdits(fn *mutate.Function) (all []mutate.Edit) {
	for _, h := range helpers(fn) {
		for _, exit := range h.missing(fn) {
			e := fn.NewEdit("addunlock", exit, exit)
			e.Form, e.Expr, e.Other = formHelper, h.text, fn.ID(h.release)
			e.Note, e.Sure, e.Group = "given back at the other exits", true, "helper "+types.ExprString(h.release.X.(*ast.CallExpr).Fun)
			taking := fn.NewEdit("addunlock", h.taken.Stmt)
			e.Heat = max(e.Heat, taking.Heat)
			all = append(all, e)
		}
	}
	return all
}

// helpers finds the calls of a function that give back what others have taken.
func helpers(fn *mutate.Function) (all []helped) {
	for _, st := range fn.Statements() {
		x, to := called(fn, st.Stmt)
		if to == nil || !isMethod(to) || slices.ContainsFunc(all, func(h helped) bool { return h.text == types.ExprString(x) }) {
			continue
		}
		takes, gives := counted(to)
		if len(gives) == 0 || len(takes) > 0 {
			continue
		}
		if at, asks, ok := taken(fn, st.Stmt, x, gives); ok {
			all = append(all, helped{at, asks, st.Stmt.(*ast.ExprStmt), types.ExprString(x)})
		}
	}
	return append(all, finishing(fn)...)
}

// counted are the fields of which a function takes a slot or turn, or gives one back: it sends to a channel
// of empty values or receives from it, and calls Add or Done of a wait group.
func counted(fn *mutate.Function) (takes, gives map[string]bool) {
	takes, gives = map[string]bool{}, map[string]bool{}
	field := func(e ast.Expr) string {
		p := fn.Path(e)
		if v, ok := p.Root.(*types.Var); ok && v.Kind() == types.RecvVar {
			return p.Rest
		}
		return ""
	}
	add := func(to map[string]bool, name string) {
		if name != "" {
			to[name] = true
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SendStmt:
			add(takes, field(n.Chan))
		case *ast.ExprStmt:
			if u, ok := ast.Unparen(n.X).(*ast.UnaryExpr); ok && u.Op == gotoken.ARROW {
				add(gives, field(u.X))
			}
		case *ast.CallExpr:
			switch f := syntax.Callee(fn.File.Package.Info, n.Fun); {
			case f == nil:
			case f.FullName() == "(*sync.WaitGroup).Add":
				add(takes, field(n.Fun.(*ast.SelectorExpr).X))
			case f.FullName() == "(*sync.WaitGroup).Done":
				add(gives, field(n.Fun.(*ast.SelectorExpr).X))
			}
		}
		return true
	})
	return takes, gives
}

// taken is the statement before a release, of the same value, with the call of a function that takes all
// that the release gives back; asks is the question behind or around it whether it could.
func taken(fn *mutate.Function, release ast.Stmt, x *ast.CallExpr, gives map[string]bool) (at mutate.Statement, asks *ast.IfStmt, ok bool) {
	on := func(x *ast.CallExpr) string {
		if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok {
			return types.ExprString(sel.X)
		}
		return ""
	}
	for _, st := range fn.Statements() {
		if st.Stmt.Pos() >= release.Pos() {
			break
		}
		var first ast.Stmt = st.Stmt
		question, isIf := st.Stmt.(*ast.IfStmt)
		if isIf {
			first = question.Init
		}
		if first == nil || !behind(st, release) {
			continue
		}
		for _, c := range fn.Calls(first) {
			if on(c.Expr) != on(x) || on(x) == "" {
				continue
			}
			takes, _ := counted(c.To)
			all := true
			for name := range gives {
				all = all && takes[name]
			}
			if !all {
				continue
			}
			at, asks, ok = st, question, true
			if !isIf && st.Index+1 < len(st.List) {
				asks, _ = st.List[st.Index+1].(*ast.IfStmt)
			}
		}
	}
	return at, asks, ok
}

// missing are the returns behind the call that takes before which nothing is given back; none if no exit
// gives it back, or all do.
func (h helped) missing(fn *mutate.Function) []ast.Stmt {
	return forgetful(fn, h.taken, h.asks, func(exit ast.Stmt) bool { return h.endsIn(exit) || h.given(fn, exit) })
}

// given says whether the release is called, or deferred, between the call that takes and an exit.
func (h helped) given(fn *mutate.Function, exit ast.Stmt) bool {
	return slices.ContainsFunc(fn.Statements(), func(st mutate.Statement) bool {
		if st.Stmt.Pos() < h.taken.Stmt.Pos() || !behind(st, exit) {
			return false
		}
		switch s := st.Stmt.(type) {
		case *ast.ExprStmt:
			return types.ExprString(s.X) == h.text
		case *ast.DeferStmt:
			return types.ExprString(s.Call) == h.text || strings.Contains(deferredText(s), h.text)
		}
		return false
	})
}

// deferredText is what a deferred function literal calls, one after the other.
func deferredText(s *ast.DeferStmt) string {
	lit, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit)
	if !ok {
		return ""
	}
	var b strings.Builder
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if x, ok := n.(*ast.CallExpr); ok {
			b.WriteString(types.ExprString(x) + "\n")
		}
		return true
	})
	return b.String()
}
