package noise

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"mendel/analysis/evidence"
	"mendel/internal/gotool"
	"mendel/internal/rewrite/schema"
)

// seeded is a module whose test fails for some seeds, whatever the speed of the machine.
var seeded = txtar.Parse([]byte(`
-- go.mod --
module example.com/zoo

go 1.25
-- seeded.go --
package zoo
-- seeded_test.go --
package zoo

import (
	"os"
	"strconv"
	"testing"
	"time"
)

func TestSeed(t *testing.T) {
	seed, _ := strconv.Atoi(os.Getenv("MENDEL_NOISE"))
	if seed%2 == 0 {
		time.Sleep(50 * time.Millisecond) // even seeds are overtaken by odd ones
	}
	if seed >= 5 {
		t.Error("too large")
	}
}

func TestSleep(t *testing.T) { time.Sleep(time.Hour) }
`))

// TestRunMany: order, and where stop ends, depend on the seeds only.
func TestRunMany(t *testing.T) {
	ctx := context.Background()
	h := harness(t, seeded, Config{NoRace: true, Workers: 4})
	b := build(t, h, Noised, nil)
	o := RunOptions{Seed: 1, Run: "TestSeed"}
	for range 3 {
		var asked []uint64
		outcomes, err := h.RunMany(ctx, b, 12, o, func(o Outcome) bool {
			asked = append(asked, o.Seed)
			return !o.Pass
		})
		if err != nil {
			t.Fatal(err)
		}
		var seeds []uint64
		for _, o := range outcomes {
			seeds = append(seeds, o.Seed)
			if o.Pass != (o.Seed < 5) {
				t.Errorf("seed %d: pass %v", o.Seed, o.Pass)
			}
		}
		want := []uint64{1, 2, 3, 4, 5}
		if !slices.Equal(seeds, want) || !slices.Equal(asked, want) {
			t.Errorf("outcomes of seeds %v, stop asked about %v, want %v", seeds, asked, want)
		}
	}
	outcomes, err := h.RunMany(ctx, b, 7, o, nil)
	if err != nil || len(outcomes) != 7 {
		t.Errorf("%d outcomes, error %v; want all 7", len(outcomes), err)
	}
	// Which tests a run makes may depend on its seed.
	o.RunOf = func(seed uint64) string {
		if seed%2 == 0 {
			return "^$"
		}
		return "^TestSeed$"
	}
	outcomes, err = h.RunMany(ctx, b, 4, o, nil)
	if err != nil || len(outcomes) != 4 {
		t.Fatalf("%d outcomes, error %v", len(outcomes), err)
	}
	for _, outcome := range outcomes {
		if want := int(outcome.Seed % 2); outcome.Tests != want {
			t.Errorf("seed %d: %d tests begun, want %d", outcome.Seed, outcome.Tests, want)
		}
	}
	o.RunOf = nil
	if outcomes, err := h.RunMany(ctx, b, 0, o, nil); err != nil || len(outcomes) != 0 {
		t.Errorf("%d outcomes, error %v of no run", len(outcomes), err)
	}
	cancelled(t, h, b)
}

// cancelled: a run ends with its context and is no outcome.
func cancelled(t *testing.T, h *Harness, b *Binary) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	outcomes, err := h.RunMany(ctx, b, 5, RunOptions{Run: "TestSleep"}, nil)
	if !errors.Is(err, context.Canceled) || len(outcomes) != 0 {
		t.Errorf("%d outcomes, error %v", len(outcomes), err)
	}
	if _, err := h.Build(ctx, Noised, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("building: %v", err)
	}
}

// TestWorkers: nothing is started while all workers are busy.
func TestWorkers(t *testing.T) {
	h := harness(t, seeded, Config{NoRace: true, Workers: 1})
	release, err := h.acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := h.Run(ctx, &Binary{path: "/nonexistent"}, RunOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second process was not made to wait: %v", err)
	}
	release()
	if _, err := h.Run(context.Background(), &Binary{path: "/nonexistent"}, RunOptions{}); err == nil {
		t.Error("a binary that is not there ran")
	}
}

func TestNew(t *testing.T) {
	if _, err := New(Config{}); err == nil {
		t.Error("a harness without toolchain")
	}
	if _, err := New(Config{Tool: &gotool.Toolchain{}}); err == nil {
		t.Error("a harness without program")
	}
}

func TestNoTests(t *testing.T) {
	h := harness(t, txtar.Parse([]byte("-- go.mod --\nmodule example.com/zoo\n\ngo 1.25\n-- a.go --\npackage zoo\n")), Config{NoRace: true})
	for _, mode := range []Mode{Noised, Plain} {
		if _, err := h.Build(context.Background(), mode, nil); !errors.Is(err, gotool.ErrNoTests) {
			t.Errorf("mode %d: %v", mode, err)
		}
	}
}

// TestOriginalOnce: the original is built once in a mode, and is there for who asks later.
func TestOriginalOnce(t *testing.T) {
	h := harness(t, seeded, Config{NoRace: true})
	for range 2 {
		b, err := h.Build(t.Context(), Plain, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.run(t.Context(), b, "TestSeed", RunOptions{}); err != nil {
			t.Error(err)
		}
		for range 2 {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if n := h.Builds().Executables; n != 1 {
		t.Errorf("%d executables of one program", n)
	}
}

// TestObtain: a mutant that was built is there for who asks for it again, and for nobody else. Its
// file lives in the harness's directory until that is closed.
func TestObtain(t *testing.T) {
	h := harness(t, seeded, Config{NoRace: true})
	f := h.c.Program.Packages[0].Files[0]
	build := func(mode Mode, text string) *Binary {
		t.Helper()
		b, err := h.Obtain(t.Context(), mode, map[string][]byte{f.Name: append(slices.Clone(f.Source), text...)})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		}
		return b
	}
	first := build(Plain, "\n// one\n")
	if filepath.Dir(first.path) != h.dir {
		t.Errorf("%s is outside %s", first.path, h.dir)
	}
	if again := build(Plain, "\n// one\n"); again.path != first.path || h.Builds().Executables != 1 {
		t.Errorf("built again: %s, %d executables", again.path, h.Builds().Executables)
	}
	if other := build(Plain, "\n// two\n"); other.path == first.path {
		t.Error("another mutant has the same file")
	}
	if other := build(Noised, "\n// one\n"); other.path == first.path {
		t.Error("another mode has the same file")
	}
	for h.alone.Len() < schema.MostKept { // as if others were built
		h.alone.Add(&keptAlone{binary: &Binary{}})
	}
	build(Plain, "\n// more\n")
	if _, err := os.Stat(first.path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("kept for ever: %v", err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(h.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("left after the end: %v", err)
	}
}

func TestCalibrate(t *testing.T) {
	run := func(d time.Duration, kind evidence.Kind) Outcome {
		o := Outcome{Elapsed: d, Pass: kind == ""}
		if kind != "" {
			o.Failures = []evidence.Failure{{Kind: kind}}
		}
		return o
	}
	slow := run(time.Hour, "")
	slow.hung = true
	tests := []struct {
		name     string
		outcomes []Outcome
		want     time.Duration
	}{
		{"none", nil, time.Minute},
		{"only hung", []Outcome{slow, run(time.Hour, evidence.Deadlock)}, time.Minute},
		{"mean of those that ended", []Outcome{run(200*time.Millisecond, ""), run(400*time.Millisecond, evidence.Race), run(time.Hour, evidence.Timeout), slow}, 3 * time.Second},
		{"floor", []Outcome{run(time.Millisecond, "")}, 2 * time.Second},
		{"cap", []Outcome{run(time.Hour, "")}, time.Minute},
	}
	for _, tt := range tests {
		h := &Harness{}
		if got := h.Calibrate(tt.outcomes); got != tt.want || h.limit() != tt.want {
			t.Errorf("%s: %v, then %v; want %v", tt.name, got, h.limit(), tt.want)
		}
	}
	h := &Harness{}
	h.Calibrate([]Outcome{run(500*time.Millisecond, "")})
	if got := h.Calibrate(nil); got != 5*time.Second {
		t.Errorf("forgot the time-out: %v", got)
	}
}

// TestClassify has ends of processes that are hard to bring about.
func TestClassify(t *testing.T) {
	const began = "\x16=== RUN   TestX\n\x16=== RUN   TestX/sub\n"
	const race = "WARNING: DATA RACE\nWrite at 0x1 by goroutine 8:\n  x.f()\n      /x.go:1 +0x1\n"
	const stuck = "SIGQUIT: quit\n\ngoroutine 8 [sync.Mutex.Lock]:\nx.f()\n\t/x.go:1 +0x1\n"
	tests := []struct {
		name   string
		result gotool.RunResult
		want   string
	}{
		{"memory", gotool.RunResult{Stop: gotool.OutOfMemory, ExitCode: -1, Output: []byte(began)}, "panic: the tests used more memory than a run may while TestX ran"},
		{"processes", gotool.RunResult{Stop: gotool.TooManyProcesses, ExitCode: -1}, "panic: the tests started more processes than a run may"},
		{"disk", gotool.RunResult{Stop: gotool.DiskFull, ExitCode: -1}, "panic: the tests wrote more to the disk than a run may"},
		{"output after a race", gotool.RunResult{Stop: gotool.TooMuchText, ExitCode: -1, Output: []byte(began + race)}, "race: data race: write in f x.go:1; timeout: the tests printed more than a run may while TestX ran"},
		{"time-out without a dump", gotool.RunResult{Stop: gotool.TimedOut, ExitCode: -1, Output: []byte(began)}, "timeout: the tests did not end within 2s while TestX ran"},
		{"time-out of a deadlock", gotool.RunResult{Stop: gotool.TimedOut, ExitCode: 2, Output: []byte(began + stuck)}, "deadlock: deadlock: sync.Mutex.Lock in f x.go:1"},
		{"signal", gotool.RunResult{ExitCode: -1, Output: []byte(began)}, "panic: the test binary was killed by a signal while TestX ran"},
		{"race seen at the end", gotool.RunResult{ExitCode: 66, Output: []byte(began + "\x16--- PASS: TestX (0.00s)\n" + race)}, "race: data race: write in f x.go:1"},
		{"exit before any test", gotool.RunResult{ExitCode: 1}, "test-failure: the test binary ended with exit status 1"},
	}
	for _, tt := range tests {
		var got []string
		o := classify(tt.result, 7, 2*time.Second)
		for _, f := range o.Failures {
			got = append(got, string(f.Kind)+": "+f.Message)
		}
		if s := strings.Join(got, "; "); s != tt.want || o.Pass || o.Seed != 7 {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, s, tt.want)
		}
		if limit := tt.result.Stop != ""; o.Hung() != limit {
			t.Errorf("%s: ended at a limit: %v", tt.name, o.Hung())
		}
	}
}

func TestTestsIn(t *testing.T) {
	tests := []struct {
		output  string
		begun   int
		running string
	}{
		{"", 0, ""},
		{"=== RUN   TestPrinted\n", 0, ""},
		{"\x16=== RUN   TestA\n\x16=== RUN   TestA/sub\n\x16--- PASS: TestA (0.00s)\nno newline\x16=== RUN   TestB\n=== RUN   TestPrinted\n", 2, "TestB"},
		{"\x16=== RUN   TestA\n\x16=== PAUSE TestA\n\x16=== RUN   TestB\n\x16--- SKIP: TestB (0.00s)\n\x16=== CONT  TestA\n", 2, "TestA"},
		{"\x16\x16--- \x16=== RUN\n", 0, ""},
	}
	for _, tt := range tests {
		if begun, running := testsIn([]byte(tt.output)); begun != tt.begun || running != tt.running {
			t.Errorf("%q: %d begun, %q running; want %d, %q", tt.output, begun, running, tt.begun, tt.running)
		}
	}
}

func TestShortened(t *testing.T) {
	text := append(bytes.Repeat([]byte("a"), 1<<20), 'z')
	short := shortened(text)
	if len(short) > 64<<10 || short[0] != 'a' || short[len(short)-1] != 'z' || !bytes.Contains(short, []byte("bytes left out")) {
		t.Errorf("%d bytes kept", len(short))
	}
	if text := []byte("short"); !bytes.Equal(shortened(text), text) {
		t.Error("a short output was changed")
	}
}
