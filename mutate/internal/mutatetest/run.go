package mutatetest

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	udiff "github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/txtar"

	"mendel/mutate"
)

var update = flag.Bool("update", false, "rewrite the golden archives with what the operators give now")

// Run tests operators with the archives testdata/*.txtar of a directory. Edits are numbered
// over all operators in the order of the space: without evidence, source order.
func Run(t *testing.T, dir string, operators ...*mutate.Operator) {
	t.Helper()
	run(t, dir, operators, nil)
}

// RunWith is Run for an operator that makes edits of others: these are there
// for it, but their own edits are left out of the archives.
func RunWith(t *testing.T, dir string, operator *mutate.Operator, others ...*mutate.Operator) {
	t.Helper()
	run(t, dir, []*mutate.Operator{operator}, others)
}

func run(t *testing.T, dir string, operators, others []*mutate.Operator) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "testdata", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatalf("there is no archive in %s", filepath.Join(dir, "testdata"))
	}
	for _, op := range operators {
		if op.Doc == "" || op.Name == "" {
			t.Errorf("the operator %q has no name or no documentation", op.Name)
		}
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			golden(t, name, operators, others)
		})
	}
}

// golden compares one archive with what the operators give for its input.
func golden(t *testing.T, name string, operators, others []*mutate.Operator) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	a, err := parseArchive(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	p := a.load(t)
	foreseeing := &mutate.Operator{
		Name: "foreseeing", Edits: func(*mutate.Function) []mutate.Edit { return nil },
		Together: func(w *mutate.Whole) []mutate.Edit { p.foresees = w.Try; return nil },
	}
	others = append(slices.Clone(others), foreseeing)
	space, err := mutate.NewSpace(p.program, p.narrowing, slices.Concat(operators, others), mutate.OnPanic(func(f mutate.Panic) { t.Errorf("%v\n%s", f, f.Stack) }))
	if err != nil {
		t.Fatal(err)
	}
	edits := slices.DeleteFunc(slices.Clone(space.Edits()), func(e mutate.Edit) bool {
		other := slices.ContainsFunc(others, func(op *mutate.Operator) bool { return op.Name == e.Operator })
		return other || len(a.only) > 0 && !slices.Contains(a.only, e.Func) || len(a.forms) > 0 && !slices.Contains(a.forms, e.Form)
	})
	out := &txtar.Archive{Comment: []byte(a.comment), Files: a.input}
	for i, e := range edits {
		label := "edit " + strconv.Itoa(i+1)
		p.render(t, out, label, describe(e), space, e)
	}
	for _, set := range a.sets {
		var chosen []mutate.Edit
		var label []string
		for _, n := range set {
			if n > len(edits) {
				t.Fatalf("%s: there is no edit %d", name, n)
			}
			chosen = append(chosen, edits[n-1])
			label = append(label, strconv.Itoa(n))
		}
		p.render(t, out, "edits "+strings.Join(label, "+"), "", space, chosen...)
	}
	compare(t, name, data, txtar.Format(out))
}

// compare reports, or with -update removes, the difference to the archive.
func compare(t *testing.T, name string, want, got []byte) {
	if bytes.Equal(want, got) {
		return
	}
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s differs; go test -update rewrites it\n%s", name,
		udiff.Unified(name, "now", string(want), string(got)))
}

// render adds what a set of edits gives to an archive.
func (p *pkg) render(t *testing.T, out *txtar.Archive, label, text string, space *mutate.Space, edits ...mutate.Edit) {
	t.Helper()
	m, err := space.Mutant(context.Background(), edits)
	var refusal *mutate.Refusal
	if errors.As(err, &refusal) {
		out.Files = append(out.Files, txtar.File{Name: label, Data: []byte(text + "refused: " + refusal.Reason + "\n")})
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	if len(edits) == 1 {
		p.foreseen(t, label, edits[0], m)
	}
	if len(m.Flags) > 0 {
		text += fmt.Sprintf("flags: %v\n", m.Flags)
	}
	out.Files = append(out.Files, txtar.File{Name: label, Data: []byte(text)})
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		rel := p.program.File(name).Rel
		src := m.Files[name]
		p.stable(t, label, rel, src)
		out.Files = append(out.Files, txtar.File{Name: label + "/" + rel, Data: src})
	}
	p.vet(t, label, m.Files)
}

// foreseen proves that the filter of edits that are not built flags nothing that the model of
// the mutant's source does not.
func (p *pkg) foreseen(t *testing.T, label string, e mutate.Edit, m *mutate.Mutant) {
	flags, _ := p.foresees(e)
	for _, f := range flags {
		if !slices.Contains(m.Flags, f) {
			t.Errorf("%s: the filter foresees %s, and the mutant has %v", label, f, m.Flags)
		}
	}
}

// stable proves that gofmt would not change a mutant's file, unless the
// original is not gofmt-ed.
func (p *pkg) stable(t *testing.T, label, name string, src []byte) {
	formatted, err := format.Source(src)
	if err != nil {
		t.Errorf("%s: %s does not parse: %v", label, name, err)
		return
	}
	original := p.program.File(name).Source
	if was, err := format.Source(original); err == nil && bytes.Equal(was, original) && !bytes.Equal(formatted, src) {
		t.Errorf("%s: %s is not gofmt-ed\n%s", label, name, udiff.Unified("mutant", "gofmt", string(src), string(formatted)))
	}
}

// describe is an edit in one line, with one more for each part of a composite
// edit.
func describe(e mutate.Edit) string {
	var parts strings.Builder
	for _, p := range e.Parts {
		parts.WriteString("  " + p.Operator + " " + describe(p))
	}
	return describeAlone(e) + parts.String()
}

func describeAlone(e mutate.Edit) string {
	parts := []string{fmt.Sprintf("%s:%d %s", e.File, e.Line, e.Func)}
	add := func(ok bool, format string, args ...any) {
		if ok {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(e.Count == 1, "1 statement")
	add(e.Count > 1, "%d statements", e.Count)
	if e.Lock != nil {
		verb := "lock"
		if e.Read {
			verb = "rlock"
		}
		add(e.Lock.New == nil, "%s %s", verb, e.Lock.Expr)
		add(e.Lock.New != nil, "%s %s (new)", verb, e.Lock.Expr)
	}
	add(len(e.Vars) > 0, "guards %s", strings.Join(e.Vars, " "))
	add(len(e.Flags) > 0, "%v", e.Flags)
	return strings.Join(parts, ", ") + "\n"
}
