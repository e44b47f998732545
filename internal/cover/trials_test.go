package cover

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mendel/analysis/evidence"
)

// When nothing is left to force, noise goes on until the runs are spent; a test that does
// nothing concurrent is left alone. Failures that are not wanted end nothing.
func TestTrials(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.26\n", "p.go": lost, "p_test.go": lostTest + `
func TestOne(t *testing.T) {
	done := make(chan bool)
	go func() { done <- true }()
	<-done
}

func TestNothing(t *testing.T) {}
`} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	try := func(run string, runs int, wanted func(evidence.Failure) bool) []Trial {
		t.Helper()
		o := Options{Dir: dir, Run: run, Runs: runs, Budget: 2 * time.Minute, Workers: 1}
		trials, err := Trials(t.Context(), TrialOptions{Options: o, Seeds: 2, Wanted: wanted})
		if err != nil || len(trials) != 2 {
			t.Fatalf("%+v, %v", trials, err)
		}
		return trials
	}
	for _, one := range try("TestOne", 15, nil) {
		if one.Failure != nil || one.Runs != 15 {
			t.Errorf("nothing fails, but %+v", one)
		}
	}
	for _, one := range try("TestNothing", 15, nil) {
		if one.Failure != nil || one.Runs >= 15 {
			t.Errorf("nothing is concurrent, but %+v", one)
		}
	}
	for _, one := range try("TestAdd", 15, func(f evidence.Failure) bool { return f.Kind == evidence.Deadlock }) {
		if one.Failure != nil || one.Runs != 15 {
			t.Errorf("no deadlock is there, but %+v", one)
		}
	}
}

// In a module whose language has no generic functions, what the hooks are, a bug is exposed
// as elsewhere, and lines are what they were.
func TestOldModule(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.13\n", "p.go": "// A comment.\n\n//go:build go1.10\n// +build go1.10\n\n" + lost, "p_test.go": `package p

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var a account
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			a.add(1)
		}()
	}
	wg.Wait()
	if a.n != 2 {
		panic("lost")
	}
}
`} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	res, err := Run(t.Context(), Options{Dir: dir, Runs: 50, Workers: 1, First: true, Rest: true})
	if err != nil || len(res.Failures) != 1 || len(res.Bare) > 0 {
		t.Fatalf("%+v, %v", res, err)
	}
	if f := res.Failures[0]; f.Kind != evidence.Panic || !strings.Contains(f.Message, "p_test.go:20") {
		t.Errorf("%+v", f)
	}
}
