package diagnosis

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/analysis/locks"
)

// A value that was ended while its goroutine goes on explains a race with that, and a failed test; one whose end waits
// for the goroutine, itself or in what it calls, does not, and neither does one that is ended behind.
func TestEndNotWaited(t *testing.T) {
	for _, tt := range []struct {
		name, stop, use string
		want            bool
	}{
		{"told only", "close(w.quit)", "w.Stop()\n\t_ = n // B read", true},
		{"waits", "close(w.quit); <-w.done", "w.Stop()\n\t_ = n // B read", false},
		{"waits in a call", "close(w.quit); w.join()", "w.Stop()\n\t_ = n // B read", false},
		{"deferred", "close(w.quit)", "defer w.Stop()\n\t_ = n // B read", false},
		{"behind", "close(w.quit)", "_ = n // B read\n\tw.Stop()", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := load(t, strings.NewReplacer("STOP", tt.stop, "USE", tt.use).Replace(`
type worker struct{ quit, done chan struct{} }
var n int
func (w *worker) Start() { go w.run() }
func (w *worker) run() {
	defer close(w.done)
	<-w.quit
	n++ // A write
}
func (w *worker) join() { <-w.done }
func (w *worker) Stop() { STOP }
func Use(w *worker) {
	w.Start()
	USE
}`))
			found := false
			for _, f := range bySource(locks.New(p), p, raceIn(t, p)) {
				found = found || f.Fault == evidence.WaitNotForAll && f.Places[0].Func == "(*worker).Stop"
			}
			if found != tt.want {
				t.Errorf("an end that does not wait is found: %v, want %v", found, tt.want)
			}
		})
	}
}

// A test that fails behind the end of a value may have looked too early.
func TestEndInTest(t *testing.T) {
	for stop, want := range map[string]bool{"close(w.quit)": true, "close(w.quit); <-w.done": false} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"go.mod": "module example.com/m\n\ngo 1.24\n",
			"a.go": `package m
type worker struct{ quit, done chan struct{} }
func (w *worker) Start() { go func() { defer close(w.done); <-w.quit }() }
func (w *worker) Stop() { ` + stop + ` }
`,
			"a_test.go": `package m
import "testing"
func TestStop(t *testing.T) {
	w := &worker{make(chan struct{}), make(chan struct{})}
	w.Start()
	t.Run("inner", func(*testing.T) { w.Stop() })
	t.Error("too early")
}
`,
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		p, err := analysistest.Load(t.Context(), nil, analysis.Target{Dir: dir, Package: "."})
		if err != nil {
			t.Fatal(err)
		}
		got := bySource(locks.New(p), p, evidence.Failure{Kind: evidence.TestFailure, Test: "TestStop/inner"})
		if found := len(got) == 1 && got[0].Fault == evidence.WaitNotForAll && got[0].Places[0].Func == "(*worker).Stop"; found != want || len(got) > 1 {
			t.Errorf("Stop does %q: found %+v, want it: %v", stop, got, want)
		}
	}
}

// A test that fails may have called what goes by what a helper has found under a lock that it takes again.
func TestBehindInTest(t *testing.T) {
	for log, want := range map[string]bool{
		"old := f.since(n); if old == nil { return nil }; f.mu.Lock()":  true,
		"f.mu.Lock(); old := f.lines[n:]; if old == nil { return nil }": false,
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"go.mod": "module example.com/m\n\ngo 1.24\n",
			"a.go": `package m
import "sync"
type feed struct { mu sync.Mutex; lines []string; readers int }
func (f *feed) since(n int) []string { f.mu.Lock(); defer f.mu.Unlock(); return f.lines[n:] }
func (f *feed) Read(n int) []string { ` + log + `; defer f.mu.Unlock(); f.readers++; return old }
func (f *feed) Add(line string) { f.mu.Lock(); f.lines = append(f.lines, line); f.mu.Unlock() }
`,
			"a_test.go": `package m
import "testing"
func TestRead(t *testing.T) {
	var f feed
	go f.Add("a")
	t.Error(f.Read(0))
}
func TestAdd(t *testing.T) { new(feed).Add("a") }
`,
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		p, err := analysistest.Load(t.Context(), nil, analysis.Target{Dir: dir, Package: "."})
		if err != nil {
			t.Fatal(err)
		}
		got := bySource(locks.New(p), p, evidence.Failure{Kind: evidence.TestFailure, Test: "TestRead"})
		if found := len(got) == 1 && got[0].Fault == evidence.CheckThenAct && got[0].Places[0].Func == "(*feed).Read"; found != want || len(got) > 1 {
			t.Errorf("Read does %q: found %+v, want it: %v", log, got, want)
		}
		if got := bySource(locks.New(p), p, evidence.Failure{Kind: evidence.TestFailure, Test: "TestAdd"}); got != nil {
			t.Errorf("TestAdd: found %+v", got)
		}
	}
}
