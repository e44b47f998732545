package closepipe

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
)

//go:embed doc.go
var doc string

// Operator closes a pipe that a function leaves open.
var Operator = &mutate.Operator{
	Name: "closepipe",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 3, evidence.Blocked: 4, evidence.Timeout: 3, evidence.TestFailure: 3,
		evidence.Race: 0.1, evidence.Panic: 0.1,
	},
	Faults:   []evidence.Fault{evidence.ReceiverAlone, evidence.SenderAlone},
	Needs:    "pipe of package io that is made or closed here, and not closed on every way out",
	Edits:    edits,
	Apply:    apply,
	Together: together,
}

// Forms.
const (
	writer = "writer"
	reader = "reader"
)

func edits(fn *mutate.Function) []mutate.Edit {
	all, texts := writers(fn)
	for i := range all {
		if several(texts, texts[i]) {
			all[i].Doubt(0.8) // all of them at once are likelier
		}
	}
	return append(all, readers(fn)...)
}

func several(texts []string, text string) bool {
	n := 0
	for _, other := range texts {
		if other == text {
			n++
		}
	}
	return n > 1
}

// together lists, for each writer that several ways out of a function leave open, the edit of all of them.
func together(w *mutate.Whole) (all []mutate.Edit) {
	for _, fn := range w.All() {
		edits, texts := writers(fn)
		seen := map[string]bool{}
		for _, text := range texts {
			if seen[text] || !several(texts, text) {
				continue
			}
			seen[text] = true
			var parts []mutate.Edit
			for i, e := range edits {
				if texts[i] == text {
					parts = append(parts, e)
				}
			}
			all = append(all, mutate.Composite("closepipe", parts...))
		}
	}
	return all
}

// writers are the edits that close a writer on a way out, and what the function calls it.
func writers(fn *mutate.Function) (all []mutate.Edit, texts []string) {
	closes := closesIn(fn)
	for _, st := range fn.Statements() {
		ret, ok := st.Stmt.(*ast.ReturnStmt)
		if !ok {
			continue
		}
		for _, text := range slices.Sorted(maps.Keys(closes)) {
			c := closes[text]
			err := errorAt(fn, ret)
			if err == "" || c.deferred || c.before(fn, st) || !scope.Means(fn, c.on, ret.Pos()) || mentions(ret, c.on) {
				continue
			}
			e := fn.NewEdit("closepipe", ret, ret)
			e.Form, e.Expr, e.Note = writer, text+".CloseWithError("+err+")", "else who reads waits for ever"
			all, texts = append(all, e), append(texts, text)
		}
	}
	return all, texts
}

// A closing is a writer that a function closes.
type closing struct {
	on       ast.Expr
	at       []ast.Stmt // the calls
	deferred bool       // one of them is
}

// closesIn are the writers that a function closes itself, by what it calls them.
func closesIn(fn *mutate.Function) map[string]*closing {
	found := map[string]*closing{}
	for _, st := range fn.Statements() {
		var call *ast.CallExpr
		deferred := false
		switch s := st.Stmt.(type) {
		case *ast.ExprStmt:
			call, _ = ast.Unparen(s.X).(*ast.CallExpr)
		case *ast.DeferStmt:
			call, deferred = s.Call, true
		}
		if call == nil {
			continue
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Close" && sel.Sel.Name != "CloseWithError" || !isPipe(fn, sel.X, "PipeWriter") || !syntax.Plain(sel.X) {
			continue
		}
		text := types.ExprString(sel.X)
		if found[text] == nil {
			found[text] = &closing{on: sel.X}
		}
		found[text].at = append(found[text].at, st.Stmt)
		found[text].deferred = found[text].deferred || deferred
	}
	return found
}

// before reports whether the writer has been closed when a statement is reached: by a call in front of it in its
// list, or in one around that.
func (c *closing) before(fn *mutate.Function, st mutate.Statement) bool {
	path := append(syntax.Path(fn.File.AST, st.Stmt), st.Stmt)
	return slices.ContainsFunc(path, func(n ast.Node) bool {
		list := syntax.ListOf(n)
		for _, s := range list {
			if s.End() > st.Stmt.Pos() {
				break
			}
			if slices.Contains(c.at, s) {
				return true
			}
		}
		return false
	})
}

// isPipe reports whether an expression is a pipe's end of package io.
func isPipe(fn *mutate.Function, e ast.Expr, name string) bool {
	t := fn.File.Package.Info.TypeOf(e)
	return t != nil && types.TypeString(t, nil) == "*io."+name
}

// errorAt is the error that is known where a function returns: the variable that the innermost if around it has found not
// to be nil; "": there is none.
func errorAt(fn *mutate.Function, ret *ast.ReturnStmt) string {
	for _, n := range slices.Backward(syntax.Path(fn.File.AST, ret)) {
		if n == fn.Node {
			break
		}
		s, ok := n.(*ast.IfStmt)
		if !ok || !syntax.Within(ret, s.Body) {
			continue
		}
		b, ok := ast.Unparen(s.Cond).(*ast.BinaryExpr)
		if !ok || b.Op != token.NEQ || types.ExprString(b.Y) != "nil" {
			return ""
		}
		id, ok := ast.Unparen(b.X).(*ast.Ident)
		if !ok || !types.Identical(fn.File.Package.Info.TypeOf(id), types.Universe.Lookup("error").Type()) {
			return ""
		}
		return id.Name
	}
	return ""
}

// mentions reports whether a return uses an expression: it may close it itself, or hand it on.
func mentions(ret *ast.ReturnStmt, e ast.Expr) bool {
	text := types.ExprString(e)
	return syntax.Any(ret, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		return ok && types.ExprString(x) == text
	})
}

// readers are the edits that close a reader when the function returns that has made the pipe.
func readers(fn *mutate.Function) (all []mutate.Edit) {
	info := fn.File.Package.Info
	for _, st := range fn.Statements() {
		a, ok := st.Stmt.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 2 || len(a.Rhs) != 1 {
			continue
		}
		call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
		if !ok {
			continue
		}
		if f := syntax.Callee(info, call.Fun); f == nil || f.FullName() != "io.Pipe" {
			continue
		}
		id, ok := a.Lhs[0].(*ast.Ident)
		if !ok || id.Name == "_" || !readsAlone(fn, info.Defs[id]) {
			continue
		}
		e := fn.NewEdit("closepipe", a, a)
		e.Form, e.Expr, e.Note = reader, "defer "+id.Name+".Close()", "who writes must not wait when this returns"
		all = append(all, e)
	}
	return all
}

// readsAlone reports whether a function uses a reader itself, closes it nowhere, and gives it to nobody who might use
// it afterwards.
func readsAlone(fn *mutate.Function, v types.Object) bool {
	used, kept := false, false
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || v == nil || fn.File.Package.Info.Uses[id] != v {
			return
		}
		used = true
		for i, outer := range path {
			switch outer := outer.(type) {
			case *ast.FuncLit, *ast.GoStmt, *ast.ReturnStmt, *ast.CompositeLit, *ast.DeferStmt, *ast.SendStmt:
				kept = true
			case *ast.AssignStmt:
				kept = kept || i == len(path)-1 // another name of it
			case *ast.SelectorExpr:
				kept = kept || outer.Sel.Name == "Close" || outer.Sel.Name == "CloseWithError"
			}
		}
	})
	return used && !kept
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	at := m.Stmt(e.File, e.Node)
	if at == nil {
		return mutate.Refuse(e, "another edit removed the statement")
	}
	return m.InsertSnippet(e.File, at, e.Form == reader, e.Expr)
}
