package mutate_test

import (
	"context"
	"errors"
	"flag"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/guard"
	"mendel/mutate/internal/mutatetest"
)

var updateComplete = flag.Bool("update-complete", false, "write the results into testdata/complete")

// Each archive in testdata/complete has a program, the edits that a candidate
// consists of, and what completing them gives. Its comment names the shared
// variables and the edits, as pick has them, and the lock and the variables to
// guard everywhere.
func TestComplete(t *testing.T) {
	names, err := filepath.Glob("testdata/complete/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { complete(t, name) })
	}
}

// Who stops waiting is told so, and gets no half of a set.
func TestCompleteCancelled(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), []byte("module example.com/p\n\ngo 1.25\n"))
	writeFile(t, filepath.Join(dir, "bank.go"), []byte(bank))
	p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{addlock.Operator, guard.Operator})
	if err != nil {
		t.Fatal(err)
	}
	edits := slices.DeleteFunc(slices.Clone(space.Edits()), func(e mutate.Edit) bool {
		return e.Operator != "addlock" || e.Func != "(*Account).Deposit" || len(e.Parts) > 0
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	all, _, err := space.Complete(ctx, edits[:1], edits[0].Lock.Key, variables(n, "Account.amount")...)
	if !errors.Is(err, context.Canceled) || all != nil {
		t.Errorf("%v, %v, want that it was cancelled", all, err)
	}
	if all, _, err := space.Complete(t.Context(), edits[:1], edits[0].Lock.Key, variables(n, "Account.amount")...); err != nil || len(all) < 2 {
		t.Errorf("%v, %v, want the edit and another one", all, err)
	}
}

func complete(t *testing.T, name string) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	ar := txtar.Parse(data)
	say := make(map[string][]string)
	for line := range strings.Lines(string(ar.Comment)) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			say[key] = append(say[key], value)
		}
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), []byte("module example.com/p\n\ngo 1.25\n"))
	var input []txtar.File
	for _, f := range ar.Files {
		if !strings.HasPrefix(f.Name, "completed/") && f.Name != "left" {
			input = append(input, f)
			writeFile(t, filepath.Join(dir, f.Name), f.Data)
		}
	}
	p, n := mutatetest.Load(t, dir, strings.Fields(say["shared"][0]), []string{"*"})
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{addlock.Operator, guard.Operator})
	if err != nil {
		t.Fatal(err)
	}
	var edits []mutate.Edit
	for _, what := range say["edit"] {
		edits = append(edits, pick(t, space, what))
	}
	all, left, err := space.Complete(t.Context(), edits, say["lock"][0], variables(n, say["guard"][0])...)
	if err != nil {
		t.Fatal(err)
	}
	m, err := space.Mutant(context.Background(), all)
	if err != nil {
		t.Fatal(err)
	}
	out := txtar.Archive{Comment: ar.Comment, Files: input}
	for _, f := range input {
		if src := m.Files[p.File(f.Name).Name]; src != nil {
			out.Files = append(out.Files, txtar.File{Name: "completed/" + f.Name, Data: src})
		}
	}
	report := "flags:"
	for _, f := range m.Flags {
		report += " " + string(f)
	}
	for _, g := range left {
		report += "\n" + g.String()
	}
	out.Files = append(out.Files, txtar.File{Name: "left", Data: []byte(report + "\n")})
	got := txtar.Format(&out)
	if *updateComplete {
		writeFile(t, name, got)
	} else if string(got) != string(data) {
		t.Errorf("got\n%s\nwant\n%s", got, data)
	}
}

// variables are the findings with some names.
func variables(n *analysis.Narrowing, names string) []*types.Var {
	var vars []*types.Var
	_, _, found := n.Findings()
	for _, f := range found {
		if v, ok := f.Object.(*types.Var); ok && slices.Contains(strings.Fields(names), f.Name) {
			vars = append(vars, v)
		}
	}
	return vars
}
