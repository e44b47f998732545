package shadowerr

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/capture"
)

// handed is the form in which the function takes over the goroutine's error when it has
// waited for the goroutine: Node is the start, Other the wait, Expr the error's name.
const handed = "hand"

// handing lists the edits that hand an error over, in source order.
func handing(fn *mutate.Function) (out []mutate.Edit) {
	eachHanding(fn, func(_ *types.Var, e mutate.Edit) { out = append(out, e) })
	return out
}

// eachHanding visits the edits that hand an error over, in source order, with the variables they are for.
func eachHanding(fn *mutate.Function, visit func(*types.Var, mutate.Edit)) {
	for _, s := range capture.Starts(fn) {
		for _, v := range s.Captured(fn) {
			wait := takenOver(fn, &s, v)
			if wait == nil {
				continue
			}
			e := s.Edit(fn, "shadowerr", v)
			e.Form, e.Node, e.Other = handed, fn.ID(s.Stmt), fn.ID(wait)
			e.Expr = scope.FreeName(fn, ownName(v.Var.Name()))
			e.Note = "its own error, which is taken over when it has ended"
			visit(v.Var, e)
		}
	}
}

// handingAll lists, for each error that several goroutines of a function hand over, the edit of all of them.
func handingAll(fn *mutate.Function) (out []mutate.Edit) {
	var vars []*types.Var // in the order of the source
	parts := make(map[*types.Var][]mutate.Edit)
	eachHanding(fn, func(v *types.Var, e mutate.Edit) {
		if parts[v] == nil {
			vars = append(vars, v)
		} else {
			e.Expr = scope.FreeName(fn, ownName(v.Name())+strconv.Itoa(len(parts[v])+1))
		}
		parts[v] = append(parts[v], e)
	})
	for _, v := range vars {
		if len(parts[v]) > 1 {
			out = append(out, mutate.Composite("shadowerr", parts[v]...))
		}
	}
	return out
}

// takenOver is the statement behind which an error that a goroutine assigns can be taken over
// by the function that started it, and that assigns it meanwhile; nil: there is none.
func takenOver(fn *mutate.Function, s *capture.Start, v capture.Variable) ast.Stmt {
	if !fn.Narrowing.Shared(v.Var) || !types.Identical(v.Var.Type(), types.Universe.Lookup("error").Type()) {
		return nil
	}
	if !v.Writes() || !v.Changes() || !v.Feeds() || v.Needs() || v.Addressed() || s.Loop(fn, v.Var) != nil {
		return nil
	}
	for _, later := range s.List[s.Index+1:] {
		if !waits(fn, later) {
			continue
		}
		if v.UsedIn(later.Pos(), later.End()) || !v.UsedIn(later.End(), fn.Body.End()) {
			return nil
		}
		return later
	}
	return nil
}

// waits reports whether a statement by itself waits for others, whatever happens: it receives,
// or calls the Wait of a group.
func waits(fn *mutate.Function, s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ExprStmt, *ast.AssignStmt:
	default:
		return false
	}
	found := false
	syntax.Now(s, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			found = found || n.Op.String() == "<-"
		case *ast.CallExpr:
			f := syntax.Callee(fn.File.Package.Info, n.Fun)
			found = found || f != nil && f.FullName() == "(*sync.WaitGroup).Wait"
		}
	})
	return found
}

// ownName is a name for the goroutine's own error: goErr for err.
func ownName(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return "go" + string(unicode.ToUpper(first)) + name[size:]
}

// hand makes the edit.
func hand(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no such function")
	}
	starts := capture.Starts(fn)
	at := slices.IndexFunc(starts, func(s capture.Start) bool { return fn.ID(s.Stmt) == e.Node })
	if at < 0 {
		return mutate.Refuse(e, "another edit changed the start of the goroutine")
	}
	for _, v := range starts[at].Captured(fn) {
		if wait := takenOver(fn, &starts[at], v); wait != nil && fn.ID(wait) == e.Other {
			return handVariable(m, e, fn, &starts[at], v.Var)
		}
	}
	return mutate.Refuse(e, "there is no error to hand over")
}

func handVariable(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, s *capture.Start, v *types.Var) error {
	renamed := true
	ast.Inspect(s.Lit.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && fn.File.Package.Info.Uses[id] == v {
			now, ok := m.Of(e.File, id).(*dst.Ident)
			if renamed = renamed && ok; renamed {
				now.Name = e.Expr
			}
		}
		return true
	})
	start, wait := m.Stmt(e.File, e.Node), m.Stmt(e.File, e.Other)
	if !renamed || start == nil || wait == nil {
		return mutate.Refuse(e, "another edit changed what the goroutine does")
	}
	if err := m.InsertSnippet(e.File, start, false, "var "+e.Expr+" error // "+e.Note); err != nil {
		return err
	}
	return m.InsertSnippet(e.File, wait, true, "if "+v.Name()+" == nil {\n"+v.Name()+" = "+e.Expr+"\n}")
}
