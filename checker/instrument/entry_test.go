package instrument

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/internal/gotool"
)

// A program that has the entry's name itself is refused, with the place.
func TestEntryTaken(t *testing.T) {
	dir := extract(t, txtar.Parse([]byte("-- go.mod --\nmodule example.com/p\n\ngo 1.26\n-- p_test.go --\npackage p\n\nvar TestZzMendel int\n")))
	p, err := analysistest.Load(t.Context(), nil, analysis.Target{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(p, tool.GOROOT, runtimeSources(t), Options{})
	if err == nil || !strings.Contains(err.Error(), "p_test.go:3:5: TestZzMendel") {
		t.Errorf("got %v, want an error at the declaration", err)
	}
}

// Dependencies must have been loaded to be instrumented.
func TestNotLoaded(t *testing.T) {
	s := load(t, extract(t, txtar.Parse([]byte(counter))), ".")
	_, err := New(s.program, s.tool.GOROOT, runtimeSources(t), Options{Instrument: []string{"example.com/x"}})
	if err == nil || !strings.Contains(err.Error(), "example.com/x") {
		t.Errorf("got %v, want an error that names the pattern", err)
	}
}

// A package without tests gets none.
func TestNoTests(t *testing.T) {
	s := load(t, extract(t, txtar.Parse([]byte("-- go.mod --\nmodule example.com/p\n\ngo 1.26\n-- p.go --\npackage p\n\nfunc init() { println() }\n"))), ".")
	o, _ := s.overlay(t, nil)
	err := s.tool.BuildTest(t.Context(), gotool.BuildOptions{Package: ".", Output: filepath.Join(t.TempDir(), "x.test"), Overlay: o})
	if !errors.Is(err, gotool.ErrNoTests) {
		t.Errorf("got %v, want %v", err, gotool.ErrNoTests)
	}
}

// The files added to a package are the mutant's, and names of the original
// that it takes are avoided.
func TestMutantAdded(t *testing.T) {
	dir := extract(t, txtar.Parse([]byte(counter)))
	s := load(t, dir, ".")
	name, added := filepath.Join(dir, "counter.go"), filepath.Join(dir, "zzmendel_test.go")
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	mutant := map[string][]byte{name: append(source, "\nvar zzstate = make(chan int)\n\nfunc init() { total++ }\n"...)}
	o, _ := s.overlay(t, mutant)
	for _, want := range []string{`zzstate2_.Register(zzclone, "example.com/counter"`, "zzreset1()", "zzinit1()", `{Name: "TestAdd", Func: TestAdd}`} {
		if !strings.Contains(string(o[added]), want) {
			t.Errorf("no %s in\n%s", want, o[added])
		}
	}
	s.build(t, o)
	if o, _ = s.overlay(t, nil); strings.Contains(string(o[added]), "zzstate") {
		t.Errorf("nothing is to be reset in\n%s", o[added])
	}
}
