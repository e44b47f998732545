package mutate

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// An Option changes what a Space enumerates.
type Option func(*Space)

// IncludeTests lets the files of tests be edited too, but never what they
// assert: see testRules.
func IncludeTests(s *Space) { s.tests = true }

// testRules are what must stay of a file of tests, by NodeID. A test is the
// specification: how its goroutines synchronise may be edited, what it does and
// asserts may not.
//
//   - No statement of a test is deleted, nor does one more leave it early. What
//     a test is are its function and its subtests; the goroutines that it starts
//     are not.
//   - Assertions stay as they are and where they are: calls of the methods of
//     *testing.T and the like, calls that are given one, what decides about
//     them in an if or switch, and comparisons in a test's own statements.
type testRules struct {
	own        map[int]bool // functions that are a test's own: declarations and subtests
	statements []int        // the tests' own
	assertions []int        // expressions
	inside     map[int]bool // of a test's own statement: it has an assertion in it
}

// rulesOf finds the rules of a file of tests.
func (s *Space) rulesOf(t *nodeIDs) *testRules {
	r := &testRules{own: make(map[int]bool), inside: make(map[int]bool)}
	info := t.file.Package.Info
	syntax.Walk(t.file.AST, func(n ast.Node, path []ast.Node) {
		id, known := t.id(n)
		switch n := n.(type) {
		case *ast.FuncDecl:
			r.own[id] = isTestFunction(info, n)
		case *ast.FuncLit:
			r.own[id] = r.owned(t, path) && !s.index.started[n] && !startedBy(info, n, path)
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
func (r *testRules) asserts(t *nodeIDs, path []ast.Node, e ast.Expr) bool {
	info := t.file.Package.Info
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
func (r *testRules) mark(t *nodeIDs, path []ast.Node) {
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.FuncLit:
			if !r.own[t.known(n)] || Parallel(t.file.Package.Info, n) {
				return
			}
		case ast.Stmt:
			if id, ok := t.id(n); ok {
				r.inside[id] = true
			}
		}
	}
}

// owned reports whether the innermost function of a path is a test's own.
func (r *testRules) owned(t *nodeIDs, path []ast.Node) bool {
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return r.own[t.known(n)]
		}
	}
	return false
}

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

// allows reports whether an edit of a function may be offered: in a test's own
// statements not around an assertion, nor around the whole body.
func (fn *Function) allows(e *Edit) bool {
	if !fn.File.Test {
		return true
	}
	r := fn.space.rules(fn.nodeIDs())
	if !r.own[fn.ID(fn.Node)] || e.Node >= len(fn.nodeIDs().syntax) {
		return true
	}
	at := fn.nodeIDs().syntax[e.Node]
	if at == nil || at == fn.Node || at == ast.Node(fn.Body) {
		return false
	}
	st := Innermost(fn.Statements(), at)
	if st.Stmt == nil {
		return false
	}
	covered := st.List[st.Index:min(st.Index+max(e.Count, 1), len(st.List))]
	return !slices.ContainsFunc(covered, func(s ast.Stmt) bool { return r.inside[fn.ID(s)] })
}

// rules are those of a file of tests, found once.
func (s *Space) rules(t *nodeIDs) *testRules {
	s.rulesMu.Lock()
	defer s.rulesMu.Unlock()
	r := s.testRules[t]
	if r == nil {
		r = s.rulesOf(t)
		if s.testRules == nil {
			s.testRules = make(map[*nodeIDs]*testRules)
		}
		s.testRules[t] = r
	}
	return r
}

// keepsTests returns why edits break the rules of tests; nil if they do not.
func (m *Mutation) keepsTests() error {
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		f := m.files[name]
		if !f.tree.file.Test {
			continue
		}
		if why := f.breaks(m.space.rules(f.tree.nodeIDs)); why != "" {
			return fmt.Errorf("%s: %s", name, why)
		}
	}
	return nil
}

// breaks says how an edited file of tests breaks its rules; "" if it does not.
func (f *editedFile) breaks(r *testRules) string {
	before := parents(f.tree.root, &numbering{original: f.tree})
	now := parents(f.root, f.ids)
	for _, id := range r.statements {
		if _, ok := now[id]; !ok {
			return "a statement of a test would be deleted"
		}
	}
	for _, id := range r.assertions {
		if _, ok := now[id]; !ok || text(f.at(id)) != text(f.tree.nodes[id]) {
			return "an assertion would be changed"
		}
		for at := id; at > 0; at = before[at] {
			if now[at] != before[at] {
				return "an assertion would come to stand elsewhere"
			}
		}
	}
	if f.leavesEarly(r) {
		return "a test would be left early"
	}
	return ""
}

// inserted is the NodeID of nodes that edits made.
const inserted = -1

// parents maps the nodes of a tree that the original has to their parents.
func parents(root *dst.File, ids *numbering) map[int]int {
	out := make(map[int]int)
	path := []int{inserted}
	dst.Inspect(root, func(n dst.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		id, ok := ids.of(n)
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
func (f *editedFile) leavesEarly(r *testRules) bool {
	leaves := false
	path := []bool{false}
	dst.Inspect(f.root, func(n dst.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		own := path[len(path)-1]
		id, original := f.ids.of(n)
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

// editable reports whether a file's functions may be edited.
func (s *Space) editable(f *analysis.File) bool { return !f.Generated && (!f.Test || s.tests) }
