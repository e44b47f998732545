package testrules

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate/internal/tree"
)

// Rules are what must stay of a file of tests, by NodeID.
type Rules struct {
	own        map[int]bool // functions that are a test's own: declarations and subtests
	statements []int        // the tests' own
	assertions []int        // expressions
	inside     map[int]bool // of a test's own statement: it has an assertion in it
}

// Of finds the rules of a file of tests. Functions that run in goroutines of their own are not
// a test's; started says which do, besides literals that are started where they stand.
func Of(t *tree.Original, started func(lit *ast.FuncLit) bool) *Rules {
	r := &Rules{own: make(map[int]bool), inside: make(map[int]bool)}
	info := t.File.Package.Info
	syntax.Walk(t.File.AST, func(n ast.Node, path []ast.Node) {
		id, known := t.ID(n)
		switch n := n.(type) {
		case *ast.FuncDecl:
			r.own[id] = isTestFunction(info, n)
		case *ast.FuncLit:
			r.own[id] = r.owned(t, path) && !started(n) && !startedBy(info, n, path)
		case ast.Stmt:
			if known && r.owned(t, path) {
				r.statements = append(r.statements, id)
			}
		case ast.Expr:
			if known && r.asserts(t, path, n) {
				r.assertions = append(r.assertions, id)
				r.mark(t, path)
			}
		}
	})
	return r
}

// asserts reports whether an expression below a path is part of an assertion.
func (r *Rules) asserts(t *tree.Original, path []ast.Node, e ast.Expr) bool {
	info := t.File.Package.Info
	switch e := e.(type) {
	case *ast.CallExpr:
		if reports(info, e) {
			return true
		}
	case *ast.BinaryExpr:
		if syntax.Compares(e.Op) && r.owned(t, path) && !inHeader(path, e) {
			return true
		}
	}
	switch parent := path[len(path)-1].(type) {
	case *ast.IfStmt:
		return e == parent.Cond && decides(info, parent.Body, parent.Else)
	case *ast.SwitchStmt:
		return e == parent.Tag && decides(info, parent.Body)
	}
	return false
}

// inHeader reports whether an expression only counts the iterations of a loop.
func inHeader(path []ast.Node, e ast.Expr) bool {
	loop, ok := path[len(path)-1].(*ast.ForStmt)
	return ok && loop.Cond == e
}

// mark notes the test's own statements of a path as such with an assertion in
// them; what a goroutine or a parallel subtest asserts is not the starter's.
func (r *Rules) mark(t *tree.Original, path []ast.Node) {
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.FuncLit:
			if !r.Own(t, n) || Parallel(t.File.Package.Info, n) {
				return
			}
		case ast.Stmt:
			if id, ok := t.ID(n); ok {
				r.inside[id] = true
			}
		}
	}
}

// owned reports whether the innermost function of a path is a test's own.
func (r *Rules) owned(t *tree.Original, path []ast.Node) bool {
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return r.Own(t, n)
		}
	}
	return false
}

// Own reports whether a function is a test's own: its declaration, or a subtest.
func (r *Rules) Own(t *tree.Original, fn ast.Node) bool {
	id, ok := t.ID(fn)
	return ok && r.own[id]
}

// Asserts reports whether a test's own statement with a NodeID has an assertion in it.
func (r *Rules) Asserts(id int) bool { return r.inside[id] }

// startedBy reports whether a literal below a path is given to a call that starts it.
func startedBy(info *types.Info, lit *ast.FuncLit, path []ast.Node) bool {
	return syntax.Started(info, path[len(path)-1]) == ast.Expr(lit)
}

// isTestFunction reports whether go test runs a declared function.
func isTestFunction(info *types.Info, d *ast.FuncDecl) bool {
	if d.Recv != nil || d.Type.Params.NumFields() != 1 {
		return false
	}
	name := d.Name.Name
	return isTesting(info.TypeOf(d.Type.Params.List[0].Type)) && slices.ContainsFunc([]string{"Test", "Benchmark", "Fuzz"}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}

// isTesting reports whether a type is *testing.T, one of its siblings, or testing.TB.
func isTesting(t types.Type) bool {
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing"
}

// reports reports whether a call gives the test's outcome, or may: it calls a
// method of *testing.T or the like, or is given one. Subtests are not meant.
func reports(info *types.Info, call *ast.CallExpr) bool {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && isTesting(info.TypeOf(sel.X)) {
		switch sel.Sel.Name {
		case "Run", "Parallel", "Cleanup", "Helper":
			return false
		}
		return true
	}
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return isTesting(info.TypeOf(arg)) })
}

// Parallel reports whether a literal is a subtest that runs beside others.
func Parallel(info *types.Info, lit *ast.FuncLit) bool {
	return slices.ContainsFunc(lit.Body.List, func(s ast.Stmt) bool {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			return false
		}
		call, ok := e.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		f := syntax.Callee(info, call.Fun)
		return f != nil && f.FullName() == "(*testing.T).Parallel"
	})
}

// decides reports whether one of some statements has a call that reports in it.
func decides(info *types.Info, stmts ...ast.Stmt) bool {
	found := false
	for _, s := range stmts {
		if s == nil {
			continue
		}
		ast.Inspect(s, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			found = found || ok && reports(info, call)
			return !found
		})
	}
	return found
}

// Breach says how an edited file of tests breaks its rules; "" if it does not.
func (r *Rules) Breach(f *tree.Edited) string {
	now := parents(f)
	for _, id := range r.statements {
		if _, ok := now[id]; !ok {
			return "a statement of a test would be deleted"
		}
	}
	for _, id := range r.assertions {
		if _, ok := now[id]; !ok || text(f.At(id)) != text(f.Was(id)) {
			return "an assertion would be changed"
		}
		for at := id; at > 0; at = f.Original.Parent(at) {
			if now[at] != f.Original.Parent(at) {
				return "an assertion would come to stand elsewhere"
			}
		}
	}
	if r.leavesEarly(f) {
		return "a test would be left early"
	}
	return ""
}

// inserted is the NodeID of nodes that edits made.
const inserted = -1

// parents maps the nodes that a file has of the original to their parents.
func parents(f *tree.Edited) map[int]int {
	out := make(map[int]int)
	path := []int{inserted}
	dst.Inspect(f.Root(), func(n dst.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		id, ok := f.ID(n)
		if ok {
			out[id] = path[len(path)-1]
		} else {
			id = inserted
		}
		path = append(path, id)
		return true
	})
	return out
}

// text is the same for trees that read the same, whatever their layout.
func text(n dst.Node) string {
	var b strings.Builder
	dst.Inspect(n, func(n dst.Node) bool {
		switch n := n.(type) {
		case nil:
			b.WriteByte(')')
			return true
		case *dst.Ident:
			b.WriteString(n.Name)
		case *dst.BasicLit:
			b.WriteString(n.Value)
		case *dst.BinaryExpr:
			b.WriteString(n.Op.String())
		case *dst.UnaryExpr:
			b.WriteString(n.Op.String())
		case *dst.AssignStmt:
			b.WriteString(n.Tok.String())
		}
		fmt.Fprintf(&b, "(%T", n)
		return true
	})
	return b.String()
}

// leavesEarly reports whether edits made a statement that leaves a test's own
// function, or a block of it.
func (r *Rules) leavesEarly(f *tree.Edited) bool {
	leaves := false
	path := []bool{false}
	dst.Inspect(f.Root(), func(n dst.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		own := path[len(path)-1]
		id, original := f.ID(n)
		switch n.(type) {
		case *dst.FuncDecl, *dst.FuncLit:
			own = original && r.own[id]
		case *dst.ReturnStmt, *dst.BranchStmt:
			leaves = leaves || own && !original
		}
		path = append(path, own)
		return true
	})
	return leaves
}
