package mutate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/expandafter"
	"mendel/mutate/expandbefore"
	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/moveout"
	"mendel/mutate/releasearound"
	"mendel/mutate/removelock"
	"mendel/mutate/shrinkend"
	"mendel/mutate/shrinkstart"
	"mendel/mutate/swaplocks"
)

// sectionOperators edit existing sections.
var sectionOperators = []*mutate.Operator{
	swaplocks.Operator, expandafter.Operator, expandbefore.Operator, removelock.Operator,
	shrinkend.Operator, shrinkstart.Operator, releasearound.Operator, moveout.Operator,
}

// TestEditsKeepSectionsBalanced applies every edit of a section to the package
// of sections and those of the golden archives; to the latter, which are
// small, also every two edits of one lock in one function, swaps with all
// others. In what comes out no path may leave a lock held or release it twice
// that did not in the original: each acquisition begins a section, each
// release belongs to one.
func TestEditsKeepSectionsBalanced(t *testing.T) {
	packages := corpus(t, sectionOperators)
	p, n := mutatetest.Load(t, writeModule(t, packages), []string{"*"}, []string{"*"})
	original := unrecognised(t, p, n)
	mutants := mutantsOf(t, p, n, sectionOperators)
	if len(mutants) < 250 {
		t.Fatalf("only %d mutants: the test does not test much", len(mutants))
	}
	for _, m := range mutants {
		packages[m.pkg] = append(packages[m.pkg], m.renamed...)
	}
	p, n = mutatetest.Load(t, writeModule(t, packages), []string{"*"}, []string{"*"})
	left := unrecognised(t, p, n)
	for _, m := range mutants {
		was := original[declared{m.pkg, m.name}]
		now, ok := left[declared{m.pkg, m.name + m.suffix}]
		switch {
		case !ok:
			t.Fatalf("%s%s is lost", m.name, m.suffix)
		case now > was && beyondTracer[m.name] != "" && strings.HasPrefix(m.edits, "releasearound "):
			t.Logf("%s: %s", m.name, beyondTracer[m.name])
		case now > was:
			t.Errorf("%s: %d acquisitions or releases belong to no section, %d in the original, after\n%s%s",
				m.name, now, was, m.edits, m.text)
		}
	}
}

// beyondTracer names functions whose sections are right after releasearound and
// are not recognised, with the reason.
var beyondTracer = map[string]string{
	"(*bus).publish": "a lock that is handed on is open in one branch when the other one is taken again; TestEditsKeepLocksBalanced follows both",
}

// A declared is the package and name of a declared function.
type declared struct{ pkg, name string }

// An edited is a declared function after some edits.
type edited struct {
	declared
	edits   string
	text    []byte
	renamed []byte // with the suffix to its name, to stand beside the original and other mutants
	suffix  string
}

// corpus lists the files of the original packages by their names, that of
// sections as "sections", others from the archives of some operators.
func corpus(t *testing.T, operators []*mutate.Operator) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	src, err := os.ReadFile(filepath.Join("testdata", "sections", "sections.go"))
	if err != nil {
		t.Fatal(err)
	}
	all["sections"] = src
	for _, op := range operators {
		names, err := filepath.Glob(filepath.Join(op.Name, "testdata", "*.txtar"))
		if err != nil || len(names) == 0 {
			t.Fatalf("no archives of %s: %v", op.Name, err)
		}
		for _, name := range names {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range ar.Files {
				if f.Name == "in.go" {
					all[fmt.Sprintf("p%d", len(all))] = f.Data
				}
			}
		}
	}
	return all
}

// mutantsOf makes the mutants of one edit of some operators and, but for the package of sections,
// of two edits of one lock in one function.
func mutantsOf(t *testing.T, p *analysis.Program, n *analysis.Narrowing, operators []*mutate.Operator) []edited {
	t.Helper()
	space, err := mutate.NewSpace(p, n, operators)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var out []edited
	try := func(edits ...mutate.Edit) {
		m, err := space.Mutant(context.Background(), edits)
		var refusal *mutate.Refusal
		if errors.As(err, &refusal) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if seen[m.Hash] {
			return
		}
		seen[m.Hash] = true
		for file, src := range m.Files {
			if imports(t, src) != imports(t, p.File(file).Source) {
				continue // the function needs an import that the original has not
			}
			pkg := path.Base(p.File(file).Package.Path)
			out = append(out, newEdited(t, pkg, edits, src, len(out)))
		}
	}
	// Edits that also change callees cannot stand beside the original.
	callee := func(e mutate.Edit) bool { return e.Form == "callee" || e.Form == "calls" }
	edits := slices.DeleteFunc(slices.Clone(space.Edits()), func(e mutate.Edit) bool {
		return callee(e) || slices.ContainsFunc(e.Parts, callee)
	})
	for i, a := range edits {
		try(a)
		for _, b := range edits[i+1:] {
			if a.File == b.File && a.Func == b.Func && a.File != "sections/in.go" && meet(a, b) {
				try(a, b)
			}
		}
	}
	return out
}

// meet reports whether two edits are of one lock, or swap locks, or one has no lock: it
// gives back the slot of a channel, maybe at an exit that the other edits, too.
func meet(a, b mutate.Edit) bool {
	return a.Lock == nil || b.Lock == nil || a.Lock.Expr == b.Lock.Expr ||
		a.Operator == "swaplocks" || b.Operator == "swaplocks"
}

// imports counts what a file imports.
func imports(t *testing.T, src []byte) int {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	return len(file.Imports)
}

// newEdited cuts the declared function that was edited out of a mutant's file.
func newEdited(t *testing.T, pkg string, edits []mutate.Edit, src []byte, number int) edited {
	t.Helper()
	name, _, _ := strings.Cut(edits[0].Func, ".func")
	m := edited{declared: declared{pkg, name}, suffix: fmt.Sprintf("_m%d", number)}
	for _, e := range edits {
		m.edits += fmt.Sprintf("%s at line %d of %s, count %d\n", e.Operator, e.Line, e.Func, e.Count)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "in.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || analysis.FuncName(fd) != name {
			continue
		}
		m.text = src[fset.Position(fd.Pos()).Offset:fset.Position(fd.End()).Offset]
		withoutReleasesAround(fd)
		fd.Name.Name += m.suffix
		var out bytes.Buffer
		if err := format.Node(&out, fset, fd); err != nil {
			t.Fatal(err)
		}
		m.renamed = append([]byte("\n"), append(out.Bytes(), '\n')...)
		return m
	}
	t.Fatalf("there is no function %s in\n%s", name, src)
	return m
}

// writeModule writes packages of one module whose root imports them all.
func writeModule(t *testing.T, packages map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	var root bytes.Buffer
	root.WriteString("package all\n\nimport (\n")
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		write(t, filepath.Join(dir, name, "in.go"), packages[name])
		fmt.Fprintf(&root, "\t_ \"example.com/all/%s\"\n", name)
	}
	root.WriteString(")\n")
	write(t, filepath.Join(dir, "all.go"), root.Bytes())
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/all\n\ngo 1.25\n"))
	return dir
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// withoutReleasesAround takes mu.Unlock() and mu.Lock() around one statement
// out, or in front of a select and first in each of its cases: with them, a
// section is none, because the lock is not held throughout.
func withoutReleasesAround(fd *ast.FuncDecl) {
	undo := func(list *[]ast.Stmt) {
		for i := 0; i+1 < len(*list); i++ {
			if withoutAcquisitions((*list)[i], (*list)[i+1]) {
				*list = append(append([]ast.Stmt{}, (*list)[:i]...), (*list)[i+1:]...)
			}
		}
		for i := 0; i+2 < len(*list); i++ {
			lock, ok := map[string]string{"Unlock": "Lock", "RUnlock": "RLock"}[method((*list)[i])]
			if ok && method((*list)[i+2]) == lock && receiverOf((*list)[i]) == receiverOf((*list)[i+2]) && method((*list)[i+1]) == "" {
				*list = append(append(append([]ast.Stmt{}, (*list)[:i]...), (*list)[i+1]), (*list)[i+3:]...)
			}
		}
	}
	ast.Inspect(fd, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			undo(&n.List)
		case *ast.CaseClause:
			undo(&n.Body)
		case *ast.CommClause:
			undo(&n.Body)
		}
		return true
	})
}

// withoutAcquisitions takes the acquisitions that cases of a select begin with
// out, if there is a release of the same lock in front of it, which the other
// cases get.
func withoutAcquisitions(release, stmt ast.Stmt) bool {
	lock, ok := map[string]string{"Unlock": "Lock", "RUnlock": "RLock"}[method(release)]
	sel, isSelect := stmt.(*ast.SelectStmt)
	if !ok || !isSelect {
		return false
	}
	acquires := func(c ast.Stmt) bool {
		body := c.(*ast.CommClause).Body
		return len(body) > 0 && method(body[0]) == lock && receiverOf(body[0]) == receiverOf(release)
	}
	if !slices.ContainsFunc(sel.Body.List, acquires) {
		return false
	}
	for _, c := range sel.Body.List {
		if c := c.(*ast.CommClause); acquires(c) {
			c.Body = c.Body[1:]
		} else {
			c.Body = append([]ast.Stmt{release}, c.Body...)
		}
	}
	return true
}

// method is the name of the method that a statement calls if it is a lock's; else "".
func method(s ast.Stmt) string {
	if e, ok := s.(*ast.ExprStmt); ok {
		if call, ok := e.X.(*ast.CallExpr); ok {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
				switch sel.Sel.Name {
				case "Lock", "RLock", "Unlock", "RUnlock":
					return sel.Sel.Name
				}
			}
		}
	}
	return ""
}

func receiverOf(s ast.Stmt) string {
	return types.ExprString(s.(*ast.ExprStmt).X.(*ast.CallExpr).Fun.(*ast.SelectorExpr).X)
}

// unrecognised counts, by declared function with the literals in it, the
// acquisitions that begin no section and the releases that belong to none.
func unrecognised(t *testing.T, p *analysis.Program, n *analysis.Narrowing) map[declared]int {
	t.Helper()
	counts := map[declared]int{}
	look := &mutate.Operator{Name: "look", Edits: func(fn *mutate.Function) []mutate.Edit {
		name, _, _ := strings.Cut(fn.Name, ".func")
		in := declared{path.Base(fn.File.Package.Path), name}
		counts[in] += 0
		for _, s := range fn.Statements() {
			if fn.IsLockCall(s.Stmt) {
				counts[in]++
			}
		}
		for _, s := range fn.Sections() {
			counts[in]--
			if s.InLiteral == nil {
				counts[in] -= len(s.Releases)
			}
		}
		return nil
	}}
	if _, err := mutate.NewSpace(p, n, []*mutate.Operator{look}); err != nil {
		t.Fatal(err)
	}
	return counts
}
