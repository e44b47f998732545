package mendel

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/validate"
)

// A mutant that adds edits to a known fix is not validated again, unless they
// take a flag away.
func TestKnown(t *testing.T) {
	lock := mutate.Edit{Operator: "lockstatement", Line: 3}
	shrink := mutate.Edit{Operator: "shrinkend", Line: 2}
	nested := []mutate.Flag{mutate.Nested}
	h := &hunt{repairer: &repairer{fixes: []*validate.Fix{{Mutant: &mutate.Mutant{Edits: []mutate.Edit{lock}}, Flags: nested}}}}
	for _, tt := range []struct {
		name  string
		edits []mutate.Edit
		flags []mutate.Flag
		want  bool
	}{
		{"the same", []mutate.Edit{lock}, nested, true},
		{"more edits", []mutate.Edit{shrink, lock}, nested, true},
		{"more edits, fewer flags", []mutate.Edit{shrink, lock}, nil, false},
		{"other edits", []mutate.Edit{shrink}, nested, false},
	} {
		if got := h.known(&mutate.Mutant{Edits: tt.edits, Flags: tt.flags}); got != tt.want {
			t.Errorf("%s: known %v, want %v", tt.name, got, tt.want)
		}
	}
}

// Positions in changed files are moved to the original's, others stay.
func TestOriginalLines(t *testing.T) {
	f := evidence.Failure{Stacks: []evidence.Stack{{
		Frames:  []evidence.Frame{{File: "/m/unchanged.go", Line: 7}},
		Created: []evidence.Frame{{File: "/m/unchanged.go", Line: 9}},
	}}}
	got := originalLines(&mutate.Mutant{Files: map[string][]byte{"/m/changed.go": nil}}, f)
	if got.Stacks[0].Frames[0].Line != 7 || got.Stacks[0].Created[0].Line != 9 {
		t.Errorf("moved: %+v", got)
	}
	if &got.Stacks[0] == &f.Stacks[0] {
		t.Error("the failure itself was changed")
	}
}

func TestRepairErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		o    Options
		want string
	}{
		{"out below a file", Options{Out: filepath.Join(file, "out")}, "--out"},
		{"no directory", Options{Dir: filepath.Join(file, "missing")}, "missing"},
		{"negative population", Options{Population: -1}, "--population -1"},
		{"negative budget", Options{Budget: -1}, "--budget"},
		{"more than all replaced", Options{Search: SearchOptions{ReplaceFraction: 1.5}}, "ReplaceFraction 1.5"},
		{"nobody to judge", Options{NoNoise: true, NoChecker: true}, "nothing is left to judge by"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			result, err := Repair(context.Background(), tt.o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if result == nil || result.Status != Failed {
				t.Errorf("result %+v, want status %s", result, Failed)
			}
		})
	}
}

// What a repair's end makes of its result: a broken environment is an error,
// but never hides a fix that was found.
func TestConclude(t *testing.T) {
	broken := errors.New("disk full")
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tt := range []struct {
		name   string
		status Status // before
		ctx    context.Context
		err    error
		want   Status
		reason string // part of the reason or, with a fix, of the note
		fails  bool
	}{
		{"well", Fixed, context.Background(), nil, Fixed, "", false},
		{"refused", Failed, context.Background(), &errNotReproduced{"passes"}, NotReproduced, "passes", false},
		{"broken before the search", Failed, context.Background(), broken, Failed, "disk full", true},
		{"broken in the search", NotFixed, context.Background(), broken, Failed, "disk full", true},
		{"broken after a fix", Fixed, context.Background(), broken, Fixed, "disk full", false},
		{"interrupted after a fix", Fixed, done, context.Canceled, Fixed, "interrupted", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &repairer{o: Options{}.withDefaults(), result: &Result{Status: tt.status}}
			err := r.conclude(tt.ctx, tt.ctx, tt.err)
			if (err != nil) != tt.fails {
				t.Errorf("error %v", err)
			}
			if r.result.Status != tt.want {
				t.Errorf("status %s, want %s", r.result.Status, tt.want)
			}
			if told := r.result.Reason + strings.Join(r.result.Notes, " "); !strings.Contains(told, tt.reason) {
				t.Errorf("told %q, want %q", told, tt.reason)
			}
		})
	}
}

// An ended context gives a result and the context's error.
func TestRepairCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out := t.TempDir()
	result, err := Repair(ctx, Options{Dir: filepath.Join("subjects", "account"), Out: out})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if result.Status != NotReproduced || !strings.Contains(result.Reason, "interrupted") {
		t.Errorf("%s: %s", result.Status, result.Reason)
	}
	if _, err := os.Stat(filepath.Join(out, resultName)); err != nil {
		t.Error(err)
	}
}

// Apply writes what the fix says, or nothing when a file has changed since.
func TestApply(t *testing.T) {
	const before, after = "package p\n", "package p\n\nvar x int\n"
	for _, tt := range []struct {
		name, now, want string
		ok              bool
	}{
		{"untouched", before, after, true},
		{"edited since", "package p // mine\n", "package p // mine\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) string {
				name = filepath.Join(dir, name)
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				return name
			}
			write("go.mod", "module example.com/p\n\ngo 1.25\n")
			name := write("p.go", before)
			p, err := analysis.Load(context.Background(), nil, analysis.Target{Dir: dir, Package: "."})
			if err != nil {
				t.Fatal(err)
			}
			write("p.go", tt.now)
			res := &Result{program: p, Target: Target{Module: dir}}
			fix := Fix{Patch: "fix-1.patch", found: &validate.Fix{Mutant: &mutate.Mutant{Files: map[string][]byte{name: []byte(after)}}}}
			if err := res.Apply(fix); (err == nil) != tt.ok {
				t.Fatalf("error %v", err)
			}
			if got, _ := os.ReadFile(name); string(got) != tt.want {
				t.Errorf("file is %q, want %q", got, tt.want)
			}
		})
	}
}

// A later run's patches replace an earlier one's; other files stay.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"fix-1.patch", "fix-2.patch", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	res := &Result{Status: Fixed, Fixes: []Fix{{Patch: "fix-1.patch", Diff: "--- a/<x>\n"}}}
	if err := res.save(dir); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "fix-1.patch")); err != nil || string(got) != "--- a/<x>\n" {
		t.Errorf("fix-1.patch: %q, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "fix-2.patch")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("fix-2.patch is still there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "notes.txt")); err != nil {
		t.Error(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, resultName))
	if err != nil || !strings.Contains(string(data), `"status": "fixed"`) || !strings.Contains(string(data), "a/<x>") {
		t.Errorf("result.json: %v\n%s", err, data)
	}
}
