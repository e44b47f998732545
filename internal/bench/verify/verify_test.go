package verify

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/checker/sched/explore"
	"mendel/internal/bench/benchtest"
	"mendel/internal/bench/subject"
	"mendel/internal/sample"
)

func TestVerify(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	s := subject.Subject{Name: "counter", Dir: benchtest.WriteSubject(t)}
	v := Verifier{Runs: 2, Budget: time.Second, Rounds: 1}
	found, err := v.Verify(t.Context(), s, benchtest.LockingPatch)
	if err != nil {
		t.Fatal(err)
	}
	if p := found.Problems(); len(p) > 0 {
		t.Errorf("problems of a good patch: %q", p)
	}
	if found.Runs != 2 || found.Check.Verdict != explore.Covered || found.Parallelism == nil || found.Parallelism.Kept == 0 {
		t.Errorf("verification %+v, parallelism %+v", found, found.Parallelism)
	}
	if found.Effort != "2 noised runs, checker 1s, 1 rounds" || found.Copy == "" {
		t.Errorf("effort %q, copy %q", found.Effort, found.Copy)
	}
}

// A patch that leaves the race is refuted by each of the means, independently.
func TestVerifyRefutes(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	s := subject.Subject{Name: "counter", Dir: benchtest.WriteSubject(t)}
	comment := strings.ReplaceAll(strings.ReplaceAll(benchtest.LockingPatch, "+\tmu.Lock()", "+\t// before"), "+\tmu.Unlock()", "+\t// after")
	found, err := Verifier{Runs: 1, Budget: time.Second, Rounds: 1}.Verify(t.Context(), s, comment)
	if err != nil {
		t.Fatal(err)
	}
	if found.Check.Verdict != explore.Failed || !strings.Contains(found.Check.Words, "race") {
		t.Errorf("the checker: %+v", found.Check)
	}
	if !strings.Contains(found.Plain, "DATA RACE") && !strings.Contains(found.Plain, "race") {
		t.Errorf("plain runs: %q", found.Plain)
	}
	if len(found.Problems()) < 2 {
		t.Errorf("problems %q", found.Problems())
	}
}

// The wider test fails where the tests of the subject see nothing: a method that
// they do not call at the same time is not guarded. It leaves nothing behind.
func TestWider(t *testing.T) {
	s := subject.Subject{Name: "counter", Dir: benchtest.WriteSubject(t)}
	v := Verifier{Wider: 2}
	if w, err := v.Widen(t.Context(), s); w != nil || err != nil {
		t.Errorf("a subject without a wider test: %+v, %v", w, err)
	}
	benchtest.WriteFile(t, s.Wider(), widerTest)
	w, err := v.Widen(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if w.Corrected != "" || !strings.Contains(w.Original, "race") || w.Problem() != "" || w.Test == "" || w.Runs != 2 {
		t.Errorf("corrected copy: %q, original: %q, test %q", w.Corrected, w.Original, w.Test)
	}
	if p := (&Wider{}).Problem(); p == "" {
		t.Error("a wider test that the original passes shows nothing")
	}
	problem, err := v.runWider(t.Context(), s, s.Dir)
	if err != nil || !strings.Contains(problem, "race") {
		t.Errorf("the original: %q, %v", problem, err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, filepath.Base(s.Wider()))); err == nil {
		t.Error("the wider test is left in the program")
	}
	if problem, err := (Verifier{}).runWider(t.Context(), s, s.Dir); problem != "" || err != nil {
		t.Errorf("no runs are asked for: %q, %v", problem, err)
	}
}

func TestTelling(t *testing.T) {
	for output, want := range map[string]string{
		"exit status 1: ====\n\tWARNING: DATA RACE\n\tRead at 0x00c by goroutine 8:\n\t  example.com/metrics.(*Collector).Failures()\n\t      /tmp/x.go:31 +0x33": "data race in example.com/metrics.(*Collector).Failures",
		"exit status 1: --- FAIL: TestX\n\t    wider_test.go:12: 3 lamps, want 4":                                                                                 "wider_test.go:12: 3 lamps, want 4",
		"exit status 1: panic: close of closed channel\n\tmore":                                                                                                   "panic: close of closed channel",
		"stopped (timeout): x\ny": "stopped (timeout): x",
	} {
		if got := telling(output); got != want {
			t.Errorf("of %q: %q, want %q", output, got, want)
		}
	}
}

const widerTest = `package counter

import (
	"sync"
	"testing"
)

func TestWiderGet(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(add)
	wg.Go(func() { _ = get() })
	wg.Wait()
}

func TestNotWider(t *testing.T) { t.Error("this test was not asked for") }
`

func TestBuilds(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	s := subject.Subject{Name: "counter", Dir: benchtest.WriteSubject(t)}
	for _, c := range []struct{ what, patch, want string }{
		{"good", benchtest.LockingPatch, ""},
		{"does not apply", strings.ReplaceAll(benchtest.LockingPatch, "func add", "func sub"), "git apply"},
		{"does not build", strings.ReplaceAll(benchtest.LockingPatch, "+\tmu.Unlock()", "+\tmu.Open()"), "go build"},
		{"go vet", strings.ReplaceAll(benchtest.LockingPatch, "+\tmu.Lock()", "+\tn = n"), "go vet"},
	} {
		problem, err := Builds(t.Context(), filepath.Join(t.TempDir(), "patched"), s.Dir, c.patch)
		if err != nil || !strings.Contains(problem, c.want) || (problem == "") != (c.want == "") {
			t.Errorf("%s: %q, error %v", c.what, problem, err)
		}
	}
}

// The corrected copy says what may be serialised, if it starts the same
// goroutines; else the original does.
func TestSerialisedBeyond(t *testing.T) {
	const head = "package p\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nfunc f() {}\n\n"
	const free = "func run() {\n\tf()\n\tmu.Lock()\n\tf()\n\tmu.Unlock()\n}\n\n"
	const serial = "func run() {\n\tmu.Lock()\n\tdefer mu.Unlock()\n\tf()\n}\n\n"
	const start = "func Start() {\n\tgo run()\n}\n"
	const startTwo = "func Start() {\n\tgo run()\n\tgo f()\n}\n"
	for _, c := range []struct {
		what, patched, source, corrected string
		want                             []string
	}{
		{"neither", free + start, free + start, free + start, nil},
		{"new", serial + start, free + start, free + start, []string{"p.go:16"}},
		{"as the original, not the corrected copy", serial + start, serial + start, free + start, []string{"p.go:16"}},
		{"as the corrected copy", serial + start, free + start, serial + start, nil},
		{"other goroutines in the corrected copy", serial + start, serial + start, free + startTwo, nil},
	} {
		var dirs []string
		for _, text := range []string{c.patched, c.source, c.corrected} {
			dir := t.TempDir()
			benchtest.WriteFile(t, filepath.Join(dir, "p.go"), head+text)
			dirs = append(dirs, dir)
		}
		got, err := serialisedBeyond(dirs[0], dirs[1], dirs[2])
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q, error %v", c.what, got, c.want, err)
		}
	}
}

// What go vet says of the original, too, is not the patch's fault, wherever it
// has moved to; the same once more is.
func TestNewFindings(t *testing.T) {
	before := "exit status 1: # example.com/a\n\t# [example.com/a]\n\ta.go:61:9: result of fmt.Errorf call not used"
	moved := strings.ReplaceAll(before, ":61:9:", ":64:9:")
	if got := NewFindings(before, moved); got != "" {
		t.Errorf("moved: %q", got)
	}
	for _, worse := range []string{moved + "\n\ta.go:7:2: self-assignment of x to x", moved + "\n\ta.go:90:9: result of fmt.Errorf call not used"} {
		if got := NewFindings(before, worse); got != worse {
			t.Errorf("new: %q", got)
		}
	}
	short := "go vet ./...: exit status 1: a.go:92:8: the cancel function should be called"
	if got := NewFindings(short, strings.ReplaceAll(short, ":92:", ":93:")); got != "" {
		t.Errorf("moved, in one line: %q", got)
	}
	if got := NewFindings("", moved); got != moved {
		t.Errorf("vet found nothing before: %q", got)
	}
}

// Each subject has the workload that verification runs, and verification has
// nothing against its corrected copy.
func TestSubjectsCanBeVerified(t *testing.T) {
	subjects, err := subject.Read(benchtest.SubjectsDir, nil)
	if err != nil {
		t.Fatal(err)
	}
	compared := sample.Of(5, subjects)
	for _, s := range subjects {
		if !bytes.Contains(benchtest.Read(t, filepath.Join(s.Dir, "workload_test.go")), []byte("func Benchmark"+workload+"(b *testing.B)")) {
			t.Errorf("%s: workload_test.go has no Benchmark%s", s.Name, workload)
		}
		if !slices.Contains(compared, s) {
			continue
		}
		serialised, err := NewlySerialised(s.Dir, s.Corrected())
		if err != nil || len(serialised) > 0 {
			t.Errorf("%s: the corrected copy serialises goroutines: %v, %v", s.Name, serialised, err)
		}
	}
}
