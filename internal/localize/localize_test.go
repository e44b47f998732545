package localize

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/analysis/evidence"
)

// A wanted is a marker of the zoo.
type wanted struct {
	test  string
	fault evidence.Fault
	lines []int
}

// markers reads "// want Test: fault" from a file.
func markers(t *testing.T, name string) []*wanted {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []*wanted
	s := bufio.NewScanner(f)
	for line := 1; s.Scan(); line++ {
		_, text, ok := strings.Cut(s.Text(), "// want ")
		if !ok {
			continue
		}
		test, fault, _ := strings.Cut(text, ": ")
		i := slices.IndexFunc(all, func(w *wanted) bool { return w.test == "Test"+test })
		if i < 0 {
			all = append(all, &wanted{test: "Test" + test, fault: evidence.Fault(fault)})
			i = len(all) - 1
		}
		all[i].lines = append(all[i].lines, line)
	}
	return all
}

// Each fault of the zoo is found at the line with the marker, and has its name.
func TestZoo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and explores a program")
	}
	dir, err := filepath.Abs(filepath.Join("testdata", "zoo"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(context.Background(), Options{Dir: dir, Executions: 60, Budget: 3 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != Found {
		t.Fatalf("%s: %s", r.Status, r.Reason)
	}
	for _, p := range r.Places {
		if !nameable(p.Name, r.Faults[p.Fault]) {
			t.Errorf("%s:%d: no diagnosis of these failures can name %q", p.File, p.Line, p.Name)
		}
	}
	for _, w := range markers(t, filepath.Join(dir, "zoo.go")) {
		i := slices.IndexFunc(r.Faults, func(f Fault) bool { return f.Failures[0].Test == w.test })
		if i < 0 {
			t.Errorf("%s: no fault", w.test)
			continue
		}
		k := slices.IndexFunc(r.Places, func(p Place) bool { return p.Fault == i })
		if k < 0 {
			t.Errorf("%s: no place", w.test)
			continue
		}
		p := r.Places[k]
		if r.Faults[i].Name != w.fault || !slices.Contains(w.lines, p.Line) {
			t.Errorf("%s: %s at %s:%d (%s), want %s at %v\n%s", w.test, r.Faults[i].Name, p.File, p.Line, p.Says, w.fault, w.lines, r.Faults[i].Failures[0].Message)
		}
		if p.Says == "" || p.Statement == "" || p.Function == "" || p.Kind == "" {
			t.Errorf("%s: a place without words: %+v", w.test, p)
		}
	}
}

// nameable reports whether a diagnosis that explains some failure of a fault can give a name.
func nameable(name evidence.Fault, of Fault) bool {
	return slices.ContainsFunc(Diagnoses(), func(d Diagnosis) bool {
		return slices.Contains(d.Faults, name) && slices.ContainsFunc(of.Failures, func(f evidence.Failure) bool { return slices.Contains(d.Kinds, f.Kind) })
	})
}
