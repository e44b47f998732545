package checker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/checker/sched/explore"
	"mendel/internal/gotool"
	"mendel/internal/sample"
)

// load loads the package in a directory and makes a checker for it.
func load(t testing.TB, dir string, target analysis.Target, c Config) *Checker {
	t.Helper()
	ctx := context.Background()
	tool, err := gotool.Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	target.Dir = tool.Dir
	if target.Package == "" {
		target.Package = "."
	}
	p, err := analysistest.Load(ctx, tool, target)
	if err != nil {
		t.Fatal(err)
	}
	c.Tool, c.Program = tool, p
	checker, err := New(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(checker.Close(), checker.Close()); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(checker.dir); err == nil {
			t.Errorf("%s is still there after Close", checker.dir)
		}
	})
	return checker
}

// module writes a module example.com/zoo of these files.
func module(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/zoo\n\ngo 1.25\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// build is the instrumented binary of a checker's program.
func build(t testing.TB, c *Checker) *Binary {
	t.Helper()
	b, err := c.Build(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(b.Close(), b.Close()); err != nil {
			t.Error(err)
		}
	})
	return b
}

// mustCheck is Check that must not fail.
func mustCheck(t testing.TB, b *Binary, s Search) *Report {
	t.Helper()
	r, err := b.Check(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v (%.2f s, %d processes)", r, r.Seconds, r.Processes)
	return r
}

// The bugs of subjects are found, with and without explanation, and replay
// after a detour through a file; the corrected copies do not fail. mendel-bench goes
// through all subjects in several evaluations; these have a lock that guards too little,
// a deadlock, and no lock at all.
func TestSubjects(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, name := range sample.Of(1, []string{"account", "deadlock", "pingpong"}) {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join("..", "subjects", name)
			start := time.Now()
			b := build(t, load(t, dir, analysis.Target{}, Config{}))
			t.Logf("loaded, instrumented and built after %v", time.Since(start))
			for _, s := range []Search{{}, {Explain: true}} {
				r := mustCheck(t, b, s)
				if r.Verdict != explore.Failed || r.PerProcess {
					t.Fatalf("the bug was not found as it should be: %+v", r)
				}
				again(t, b, r.Failures[0])
				if f := r.Failures[0]; (len(f.Trace) > 0) != s.Explain || f.Kind == evidence.Race && len(f.Stacks) != 2 {
					t.Errorf("%d steps are traced, stacks %+v", len(f.Trace), f.Stacks)
				}
			}
			fixed := build(t, load(t, filepath.Join(dir, "testdata", "fixed"), analysis.Target{}, Config{}))
			guidedReplay(t, b, fixed, mustCheck(t, b, Search{}).Failures[0])
			r := mustCheck(t, fixed, Search{Budget: time.Second})
			if r.Verdict != explore.Passed && r.Verdict != explore.Exhausted {
				t.Errorf("the corrected copy: %s", r)
			}
		})
	}
}

// again replays a failure from a file.
func again(t *testing.T, b *Binary, f Failure) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "failure-1.schedule")
	file, err := b.File(f)
	if err == nil {
		err = WriteSchedule(path, file)
	}
	if err == nil {
		file, err = ReadSchedule(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.Replay(context.Background(), file.Schedule())
	if err != nil {
		t.Fatal(err)
	}
	if r.Failure == nil || r.Failure.Signature != f.Signature || r.Diverged != "" || len(r.Failure.Trace) == 0 {
		t.Errorf("%s: replayed: %+v, want %s", f.Message, r, f.Signature)
	}
}

const counter = `package zoo

import "sync"

var (
	mu    sync.Mutex
	total int
)

// Add adds to the total.
func Add(n int) {
	mu.Lock()
	total += n
	mu.Unlock()
}
`

// A package with a TestMain, an external test and output.
func TestMainAndOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	b := build(t, load(t, module(t, map[string]string{
		"zoo.go": counter,
		"zoo_test.go": `package zoo

import (
	"fmt"
	"os"
	"testing"
)

var ready bool

func TestMain(m *testing.M) {
	ready = true
	os.Exit(m.Run())
}

func TestReady(t *testing.T) {
	for i := range 20 {
		fmt.Println("reached step", i)
	}
	done := make(chan bool)
	for range 3 {
		go func() {
			Add(1)
			done <- true
		}()
	}
	for range 3 {
		<-done
	}
	if !ready || total != 3 {
		t.Errorf("ready: %t, total %d", ready, total)
	}
}
`,
		"out_test.go": `package zoo_test

import (
	"testing"

	"example.com/zoo"
)

func TestExternal(t *testing.T) { zoo.Add(1) }
`,
	}), analysis.Target{}, Config{}))
	r := mustCheck(t, b, Search{Budget: 3 * time.Second, Preemptions: -1})
	if r.Verdict != explore.Covered && r.Verdict != explore.Passed || r.PerProcess || len(r.Tests) != 2 {
		t.Errorf("%+v", r)
	}
	r = mustCheck(t, b, Search{Tests: []string{"TestExternal"}})
	if r.Verdict != explore.Covered {
		t.Errorf("%+v", r)
	}
}

// State outside the package (here a file) cannot be re-initialised: each
// execution needs a process, and failures are found all the same.
func TestStatefulPackage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	b := build(t, load(t, module(t, map[string]string{
		"zoo.go": counter,
		"zoo_test.go": `package zoo

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// runs counts executions, in a file of the process.
func runs() int {
	name := filepath.Join(os.TempDir(), "runs")
	text, _ := os.ReadFile(name)
	n, _ := strconv.Atoi(string(text))
	os.WriteFile(name, []byte(strconv.Itoa(n+1)), 0o600)
	return n
}

func TestRuns(t *testing.T) {
	first := runs() == 0
	done := make(chan bool, 3)
	for range 2 {
		go func() {
			if first {
				total++
			} else {
				Add(1)
			}
			done <- true
		}()
	}
	<-done
	<-done
}

func TestSteady(t *testing.T) {
	for range runs() {
		Add(1)
	}
}
`,
	}), analysis.Target{}, Config{}))
	r := mustCheck(t, b, Search{Budget: 5 * time.Second, Tests: []string{"TestRuns"}})
	if r.Verdict != explore.Failed || !r.PerProcess || r.Failures[0].Kind != evidence.Race {
		t.Fatalf("%+v", r)
	}
	again(t, b, r.Failures[0])
	r = mustCheck(t, b, Search{Budget: 5 * time.Second, Schedules: 20, Tests: []string{"TestSteady"}})
	if r.Verdict != explore.Passed || !r.PerProcess || r.Schedules != 20 {
		t.Errorf("%+v", r)
	}
}

// A program that does not build differs from one that cannot be instrumented.
func TestBuild(t *testing.T) {
	dir := module(t, map[string]string{
		"zoo.go":      counter,
		"zoo_test.go": "package zoo\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) { Add(1) }\n",
	})
	c := load(t, dir, analysis.Target{}, Config{})
	file := c.c.Program.File("zoo.go").Name
	_, err := c.Build(context.Background(), map[string][]byte{file: []byte(strings.Replace(counter, "total += n", "total += none", 1))})
	refused := (*gotool.BuildError)(nil)
	if !errors.As(err, &refused) || refused.Diagnostics[0].File != file || refused.Diagnostics[0].Line != 13 {
		t.Errorf("%v", err)
	}

	// As if the rewriting went wrong: the source builds without it.
	o := gotool.BuildOptions{Package: ".", Output: filepath.Join(c.dir, "x.test")}
	err = c.blame(context.Background(), o, nil, &gotool.BuildError{Diagnostics: []gotool.Diagnostic{{File: file, Line: 3, Message: "odd"}}})
	cannot := (*InstrumentError)(nil)
	if !errors.As(err, &cannot) || errors.As(err, &refused) {
		t.Fatalf("%v", err)
	}
	contains(t, err.Error(), "example.com/zoo cannot be instrumented", "zoo.go:3", "odd")
	if _, err := os.Stat(o.Output); err == nil {
		t.Error("the plain binary is left")
	}
	if builds, _ := c.Counts(); builds != 0 {
		t.Errorf("%d binaries were counted", builds)
	}
	b := build(t, c)
	if builds, _ := c.Counts(); builds != 1 || len(b.Uncontrolled()) != 0 {
		t.Errorf("%d binaries were counted; uncontrolled: %v", builds, b.Uncontrolled())
	}
	// The original is built once.
	before := c.Builds()
	if again := build(t, c); again == b || again.path != b.path || c.Builds().Executables != before.Executables {
		t.Errorf("the original was built again: %v", c.Builds())
	}

	c = load(t, module(t, map[string]string{"zoo.go": counter}), analysis.Target{}, Config{})
	if _, err := c.Build(context.Background(), nil); !errors.Is(err, gotool.ErrNoTests) {
		t.Errorf("%v", err)
	}
	for _, c := range []Config{{}, {Tool: &gotool.Toolchain{}}, {Tool: &gotool.Toolchain{}, Program: &analysis.Program{}}} {
		if _, err := New(t.Context(), c); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}

// Handlers of an HTTP server are under control: a race between two requests is
// found, and correct handlers raise no alarm.
func TestHandlers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds net/http into a program")
	}
	dir := module(t, map[string]string{"zoo_test.go": `package zoo

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

type counter struct {
	sync.Mutex
	n int
}

func twice(t *testing.T, h http.HandlerFunc) {
	s := httptest.NewServer(h)
	defer s.Close()
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if r, err := http.Get(s.URL); err != nil {
				t.Error(err)
			} else {
				r.Body.Close()
			}
		}()
	}
	wg.Wait()
}

func TestRace(t *testing.T) {
	c := &counter{}
	twice(t, func(http.ResponseWriter, *http.Request) { c.n++ })
}

func TestRight(t *testing.T) {
	c := &counter{}
	twice(t, func(http.ResponseWriter, *http.Request) {
		c.Lock()
		defer c.Unlock()
		c.n++
	})
	if c.n != 2 {
		t.Error(c.n)
	}
}
`})
	b := build(t, load(t, dir, analysis.Target{}, Config{}))
	r := mustCheck(t, b, Search{Schedules: 60, All: true, Seed: 1})
	for _, f := range r.Failures {
		if f.Test != "TestRace" || f.Kind != evidence.Race {
			t.Errorf("%s: %+v", f.Test, f)
		}
	}
	if len(r.Failures) == 0 {
		t.Error("the race is not found")
	}
	for _, test := range r.Tests {
		if test.Name == "TestRight" && (test.Verdict != explore.Inconclusive || !strings.Contains(test.Reason, "net/http")) {
			t.Errorf("%+v", test)
		}
	}
}
