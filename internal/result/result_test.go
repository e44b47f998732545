package result

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/mutate"
	"mendel/validate"
)

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
			p, err := analysistest.Load(context.Background(), nil, analysis.Target{Dir: dir, Package: "."})
			if err != nil {
				t.Fatal(err)
			}
			write("p.go", tt.now)
			fix := Fix{Patch: "fix-1.patch"}
			res := &Result{Target: Target{Module: dir}, Fixes: []Fix{fix}}
			Attach(res, Live{Program: p, Fixes: []*validate.Fix{{Mutant: &mutate.Mutant{Files: map[string][]byte{name: []byte(after)}}}}})
			if err := res.Apply(fix); (err == nil) != tt.ok {
				t.Fatalf("error %v", err)
			}
			if got, _ := os.ReadFile(name); string(got) != tt.want {
				t.Errorf("file is %q, want %q", got, tt.want)
			}
		})
	}
}

// An output directory that is made has a .gitignore of its own; one that was there,
// or lies in one that was made, has none.
func TestOutputIsIgnored(t *testing.T) {
	dir := t.TempDir()
	made := filepath.Join(dir, "mendel-out")
	below := filepath.Join(made, "1-bank")
	for _, out := range []string{dir, made, below, made} {
		if err := PrepareOut(out); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(made, ".gitignore")); err != nil || !strings.HasSuffix(string(text), "\n*\n") {
		t.Errorf("%q, %v", text, err)
	}
	for _, out := range []string{dir, below} {
		if _, err := os.Stat(filepath.Join(out, ".gitignore")); err == nil {
			t.Errorf("%s has one", out)
		}
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
	if err := res.Save(dir, nil); err != nil {
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
	data, err := os.ReadFile(filepath.Join(dir, Name))
	if err != nil || !strings.Contains(string(data), `"status": "fixed"`) || !strings.Contains(string(data), "a/<x>") {
		t.Errorf("result.json: %v\n%s", err, data)
	}
}

// Outcomes of clusters that an earlier repair had do not stay.
func TestForgetClusters(t *testing.T) {
	out := t.TempDir()
	for _, name := range []string{"fault-1", "fault-2"} {
		if err := os.Mkdir(filepath.Join(out, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(out, name, "fix-1.patch"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	res := &Result{Clusters: []Cluster{{Out: "fault-1", Status: NotFixed}}}
	if err := res.forgetClusters(out); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(out, "*", "fix-1.patch"))
	if err != nil || len(left) != 1 || filepath.Base(filepath.Dir(left[0])) != "fault-1" {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestChanges(t *testing.T) {
	before := map[string]string{"a.go": "1", "b.go": "2", "c.go": "3"}
	after := map[string]string{"a.go": "1", "b.go": "4", "d.go": "5"}
	want := []string{"b.go has changed", "c.go is gone", "d.go is new"}
	if got := Changes(before, after); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Changes(before, before); len(got) > 0 {
		t.Errorf("%q of what is the same", got)
	}
}
