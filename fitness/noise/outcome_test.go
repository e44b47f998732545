package noise

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"mendel/analysis/evidence"
)

// TestOutcomes runs every test of the zoo, noised and under the race detector, in one binary.
func TestOutcomes(t *testing.T) {
	h := harness(t, readArchive(t, "zoo.txtar"), Config{Narrowing: narrowing("Account.amount"), OutputLimit: 2 << 20})
	b := build(t, h, Noised, nil)
	tests := []struct {
		run     string
		kinds   string // of the failures, in order; "" passes
		message string // part of the first failure's
		hung    bool
	}{
		{run: "TestPass"},
		{run: "TestRace", kinds: "race", message: "(*Account).Transfer zoo.go"},
		{run: "TestDeadlock", kinds: "deadlock", message: "sync.Mutex.Lock in (*Account).Copy zoo.go", hung: true},
		{run: "TestSlowDeadlock", kinds: "blocked", message: "sync.Mutex.Lock in (*Account).Copy zoo.go", hung: true},
		{run: "TestLeakSend", kinds: "blocked", message: "chan send in TestLeakSend.func1 zoo_test.go"},
		{run: "TestLeakReceive", kinds: "blocked", message: "chan receive in TestLeakReceive.func1"},
		{run: "TestLeakLock", kinds: "blocked", message: "sync.Mutex.Lock in TestLeakLock.func1"},
		{run: "TestLeakParallel", kinds: "blocked", message: "chan send in TestLeakSend.func1"},
		{run: "TestParallelA|TestParallelB"},
		{run: "TestTicker"},
		{run: "TestLate"},
		{run: "TestChild"},
		{run: "TestPanic", kinds: "panic", message: "nil pointer dereference in TestPanic.func1 zoo_test.go"},
		{run: "TestFail", kinds: "test-failure", message: "got 1, want 2"},
		{run: "TestExit0", kinds: "panic", message: "unexpected call to os.Exit(0) during test in TestExit0"},
		{run: "TestExit3", kinds: "test-failure", message: "exit status 3 while TestExit3 ran"},
		{run: "TestHang", kinds: "timeout", message: "SIGQUIT", hung: true},
		{run: "TestPrint", kinds: "timeout", message: "printed more than a run may while TestPrint ran", hung: true},
		{run: "TestSkipped"},
	}
	for _, tt := range tests {
		t.Run(tt.run, func(t *testing.T) {
			timeout := time.Minute
			if tt.run == "TestHang" || tt.run == "TestSlowDeadlock" { // end by it
				timeout = 2 * time.Second
			}
			o, err := h.run(context.Background(), b, "^("+tt.run+")$", RunOptions{Seed: 4, Timeout: timeout})
			if err != nil {
				t.Fatal(err)
			}
			var kinds []string
			for _, f := range o.Failures {
				kinds = append(kinds, string(f.Kind))
			}
			if got := strings.Join(kinds, " "); got != tt.kinds || o.Pass != (tt.kinds == "") || string(o.Kind()) != strings.Split(tt.kinds+" ", " ")[0] {
				t.Fatalf("pass %v, failures %q, want %q; output:\n%s", o.Pass, got, tt.kinds, o.Output)
			}
			if tests := 1 + strings.Count(tt.run, "|"); o.Tests != tests {
				t.Errorf("%d tests, want %d", o.Tests, tests)
			}
			if o.hung != tt.hung {
				t.Errorf("hung %v", o.hung)
			}
			if o.Pass {
				if o.Output != nil || o.Elapsed <= 0 {
					t.Errorf("elapsed %v, output %q", o.Elapsed, o.Output)
				}
				return
			}
			f := o.Failures[0]
			if !strings.Contains(f.Message, tt.message) || f.Signature == "" {
				t.Errorf("message %q, want %q", f.Message, tt.message)
			}
			if f.Test != tt.run && !strings.HasPrefix(f.Test, "TestLeak") {
				t.Errorf("test %q", f.Test)
			}
			if len(o.Output) == 0 || len(o.Output) > 64<<10 {
				t.Errorf("%d bytes of output", len(o.Output))
			}
		})
	}
	t.Run("no test", func(t *testing.T) { nothingRan(t, h, b) })
	t.Run("lines", func(t *testing.T) { lines(t, h, b) })
}

// nothingRan: a run without a test is neither a pass nor a failure.
func nothingRan(t *testing.T, h *Harness, b *Binary) {
	o, err := h.run(context.Background(), b, "^TestNone$", RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if o.Pass || o.Tests != 0 || len(o.Failures) != 0 || o.Kind() != "" {
		t.Errorf("outcome %+v", o)
	}
}

// TestPlain: without hooks and -race a race is not seen, and a deadlock only by the time-out.
func TestPlain(t *testing.T) {
	h := harness(t, readArchive(t, "zoo.txtar"), Config{})
	b := build(t, h, Plain, nil)
	for run, want := range map[string]evidence.Kind{"TestRace": "", "TestLeakSend": "", "TestDeadlock": evidence.Deadlock} {
		o, err := h.run(context.Background(), b, "^"+run+"$", RunOptions{Timeout: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if o.Kind() != want {
			t.Errorf("%s: %q, want %q\n%s", run, o.Kind(), want, o.Output)
		}
	}
}

// lines: positions in a race report are those of the file on disk.
func lines(t *testing.T, h *Harness, b *Binary) {
	o, err := h.run(context.Background(), b, "^TestRace$", RunOptions{Seed: 1})
	if err != nil || o.Kind() != evidence.Race {
		t.Fatal(err, o.Kind())
	}
	file := h.c.Program.Packages[0].Files[0]
	lines := bytes.Split(file.Source, []byte("\n"))
	found := false
	for _, s := range o.Failures[0].Stacks {
		f := s.Frames[0]
		if f.File != file.Name {
			t.Errorf("file %s, want %s", f.File, file.Name)
		}
		found = found || strings.HasSuffix(f.Func, "Transfer") && bytes.Contains(lines[f.Line-1], []byte("// racy"))
	}
	if !found {
		t.Errorf("no stack begins at the line marked racy: %+v", o.Failures[0].Stacks)
	}
}
