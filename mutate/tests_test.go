package mutate_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/copyarg"
	"mendel/mutate/internal/mutatetest"
)

const testedCounter = `package p

import (
	"sync"
	"testing"
)

type tally struct{ n int }

func (t *tally) add() { t.n++ }

func TestTally(t *testing.T) {
	var wg sync.WaitGroup
	c := new(tally)
	failed := 0
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.add()
			failed += i
			if failed > 3 {
				t.Error("too many")
			}
		}()
	}
	failed++
	wg.Wait()
	if got := c.n; got != 3 {
		t.Errorf("%d, want 3", got)
	}
	ok := failed == 4
	t.Run("sub", func(t *testing.T) {
		failed = 0
		check(t, &failed)
	})
	_ = ok
}

func check(t *testing.T, n *int) {
	t.Helper()
	if *n != 0 {
		t.Fatal(*n)
	}
}
`

// testSpace is the space of a package whose tests may be edited, all of whose
// variables are shared.
func testSpace(t *testing.T, files map[string]string, ops ...*mutate.Operator) *mutate.Space {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/p\n\ngo 1.25\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
	space, err := mutate.NewSpace(p, n, ops, mutate.IncludeTests)
	if err != nil {
		t.Fatal(err)
	}
	return space
}

// Tests are edited when asked for, those of an external package too: helpers,
// literals that are started and statements of the test itself, but none around
// an assertion and no test as a whole.
func TestIncludeTests(t *testing.T) {
	space := testSpace(t, map[string]string{
		"p.go":      "package p\n",
		"a_test.go": testedCounter,
		"b_test.go": "package p_test\n\nimport \"testing\"\n\nvar n int\n\nfunc TestN(t *testing.T) {\n\tgo func() { n++ }()\n\tn++\n}\n",
	}, addlock.Operator)
	lines := strings.Split(testedCounter, "\n")
	places := make(map[string]bool) // function and form
	for _, e := range space.Edits() {
		places[e.File+" "+e.Func+" "+e.Form] = true
		line := lines[e.Line-1]
		asserts := slices.ContainsFunc([]string{"if got", "t.Errorf", "ok :=", "check(t"}, func(s string) bool { return strings.Contains(line, s) })
		if asserts && e.Func == "TestTally" {
			t.Errorf("%s is offered at an assertion: %s", e.Operator, line)
		}
		if (e.Form == "method" || e.Form == "body") && (e.Func == "TestTally" || e.Func == "TestN") {
			t.Errorf("%s is offered for all of %s", e.Operator, e.Func)
		}
	}
	for _, want := range []string{
		"a_test.go (*tally).add method",
		"a_test.go TestTally statement",
		"a_test.go TestTally.func1 statement",
		"b_test.go TestN statement",
		"b_test.go TestN.func1 statement",
	} {
		if !places[want] {
			t.Errorf("not offered: %s", want)
		}
	}
	for _, e := range space.Edits() {
		_, err := space.Mutant(context.Background(), []mutate.Edit{e})
		var refused *mutate.Refusal
		if err != nil && !errors.As(err, &refused) {
			t.Errorf("%s at line %d: %v", e.Operator, e.Line, err)
		}
	}
}

// A parallel subtest gets a copy of the case that all share before Go 1.22.
func TestParallelSubtest(t *testing.T) {
	const src = `package p

import "testing"

func TestAll(t *testing.T) {
	var name string
	for _, name = range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "" {
				t.Error("no name")
			}
		})
	}
}
`
	space := testSpace(t, map[string]string{"a_test.go": src}, copyarg.Operator, addlock.Operator)
	edits := slices.DeleteFunc(slices.Clone(space.Edits()), func(e mutate.Edit) bool { return e.Operator != "copyarg" })
	if len(edits) != 1 {
		t.Fatalf("copyarg has %d edits, want 1", len(edits))
	}
	m := mustBuild(t, space, edits[0])
	for _, text := range m.Files {
		if !strings.Contains(string(text), "\t\tname := name\n\t\tt.Run(") {
			t.Errorf("there is no copy in\n%s", text)
		}
	}
}

// What an operator does to a test is judged by what comes of it.
func TestAssertionsStay(t *testing.T) {
	for _, c := range []struct {
		name   string
		at     string // begins the statement that is edited
		change func(m *mutate.Mutation, e mutate.Edit, s dst.Stmt) error
		want   string // in the refusal; "": none
	}{
		{"delete", "failed++", remove, "a statement of a test would be deleted"},
		{"delete in a goroutine", "failed += i", remove, ""},
		{"delete an assertion in a goroutine", "t.Error(", remove, "an assertion would be changed"},
		{"return early", "failed++", insert("return"), "a test would be left early"},
		{"return early in a goroutine", "failed += i", insert("return"), ""},
		{"return early in a subtest", "failed = 0", insert("return"), "a test would be left early"},
		{"another statement", "failed++", insert("wg.Wait()"), ""},
		{"a condition", "if got", rename("got", "failed"), "an assertion would be changed"},
		{"a comparison", "ok :=", rename("failed", "i"), "an assertion would be changed"},
		{"an argument", "t.Errorf(", rename("got", "failed"), "an assertion would be changed"},
		{"a helper's argument", "check(t", rename("failed", "i"), "an assertion would be changed"},
		{"no assertion", "c.add()", rename("c", "d"), ""},
		{"under a condition", "if got", wrap, "an assertion would come to stand elsewhere"},
		{"under a condition in a goroutine", "t.Error(", wrap, "an assertion would come to stand elsewhere"},
		{"no assertion under a condition", "failed += i", wrap, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var edit mutate.Edit
			op := &mutate.Operator{
				Name: "probe",
				Edits: func(fn *mutate.Function) []mutate.Edit {
					for _, st := range fn.Statements() {
						from := fn.Program.Fset.Position(st.Stmt.Pos()).Offset
						if strings.HasPrefix(testedCounter[from:], c.at) {
							edit = fn.NewEdit("probe", st.Stmt, st.Stmt)
						}
					}
					return nil // whether the edit would be offered is another matter
				},
				Apply: func(m *mutate.Mutation, e mutate.Edit) error {
					return c.change(m, e, m.Node(e.File, e.Node).(dst.Stmt))
				},
			}
			space := testSpace(t, map[string]string{"a_test.go": testedCounter}, op)
			if edit.Operator == "" {
				t.Fatalf("there is no statement %q", c.at)
			}
			_, err := space.Mutant(context.Background(), []mutate.Edit{edit})
			switch {
			case c.want == "" && err != nil && !strings.Contains(err.Error(), "type-check"):
				t.Errorf("refused: %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v, want a refusal with %q", err, c.want)
			}
		})
	}
}

func remove(m *mutate.Mutation, e mutate.Edit, s dst.Stmt) error { return m.Remove(e.File, s) }

// insert puts a statement in front.
func insert(text string) func(*mutate.Mutation, mutate.Edit, dst.Stmt) error {
	return func(m *mutate.Mutation, e mutate.Edit, s dst.Stmt) error {
		return m.InsertSnippet(e.File, s, false, text)
	}
}

// rename changes a name in the statement.
func rename(from, to string) func(*mutate.Mutation, mutate.Edit, dst.Stmt) error {
	return func(_ *mutate.Mutation, _ mutate.Edit, s dst.Stmt) error {
		dst.Inspect(s, func(n dst.Node) bool {
			if id, ok := n.(*dst.Ident); ok && id.Name == from {
				id.Name = to
			}
			return true
		})
		return nil
	}
}

// wrap puts the statement into a block of its own.
func wrap(m *mutate.Mutation, e mutate.Edit, s dst.Stmt) error {
	list, i, ok := m.ListOf(e.File, s)
	if !ok {
		return mutate.Refuse(e, "it is not there")
	}
	(*list)[i] = &dst.IfStmt{Cond: dst.NewIdent("true"), Body: &dst.BlockStmt{List: []dst.Stmt{s}}}
	return nil
}
