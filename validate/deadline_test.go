package validate

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mendel/internal/gotool"
)

// A test is late when it has run for longer than ten times what it takes in the original, and two
// seconds; while it waits for its turn it does not run.
func TestLookout(t *testing.T) {
	limits := deadlines{"TestShort": 10 * time.Millisecond, "TestLong": time.Second}
	began := time.Unix(0, 0)
	for _, test := range []struct {
		name  string
		texts []string // one a second
		at    time.Duration
		late  string
	}{
		{"at its deadline", []string{"\x16=== RUN   TestShort\n"}, 2 * time.Second, ""},
		{"behind it", []string{"\x16=== RUN   TestShort\n"}, 2*time.Second + 1, "TestShort"},
		{"in pieces", []string{"\x16=== RUN   Test", "Short\n"}, 3*time.Second + 1, "TestShort"},
		{"ten times its time", []string{"\x16=== RUN   TestLong\n"}, 10 * time.Second, ""},
		{"longer", []string{"\x16=== RUN   TestLong\n"}, 10*time.Second + 1, "TestLong"},
		{"ended", []string{"\x16=== RUN   TestShort\nprinted\x16--- PASS: TestShort (0.01s)\n"}, time.Hour, ""},
		{"in parallel", []string{"\x16=== RUN   TestShort\n\x16=== PAUSE TestShort\n"}, time.Hour, ""},
		{"its turn", []string{"\x16=== RUN   TestShort\n\x16=== PAUSE TestShort\n", "\x16=== CONT  TestShort\n"}, 3 * time.Second, ""},
		{"long after its turn", []string{"\x16=== RUN   TestShort\n\x16=== PAUSE TestShort\n", "\x16=== CONT  TestShort\n"}, 3*time.Second + 1, "TestShort"},
		{"unknown", []string{"\x16=== RUN   TestNew\n"}, time.Hour, ""},
		{"a subtest's end", []string{"\x16=== RUN   TestShort\n\x16=== RUN   TestShort/a\n    \x16--- PASS: TestShort/a (0.00s)\n"}, 3 * time.Second, "TestShort"},
	} {
		l := &lookout{limits: func() deadlines { return limits }, factor: 1, running: map[string]time.Time{}}
		for i, text := range test.texts {
			l.reads([]byte(text), began.Add(time.Duration(i)*time.Second))
		}
		if late := l.late(began.Add(test.at)); late != test.late {
			t.Errorf("%s: %q is late, want %q", test.name, late, test.late)
		}
	}
}

// A test that hangs with the patch is told soon, if the dump shows it or it hangs by itself, too.
// One that only the load has made slow does not count.
func TestDeadlines(t *testing.T) {
	const dump = "SIGQUIT: quit\nPC=0x1 m=0 sigcode=0\n\ngoroutine 7 [sync.Mutex.Lock]:\nsync.(*Mutex).Lock(0xc0)\n\t/go/src/sync/mutex.go:1 +0x1\n" +
		"bank.TestOther(0xc1)\n\t/bank/bank_test.go:9 +0x1\ncreated by testing.(*T).Run in goroutine 1\n\t/go/src/testing/testing.go:1 +0x1\n\n"
	for _, test := range []struct {
		name   string
		takes  func(patched bool, run int) time.Duration // of TestOther
		dump   string
		hangs  bool
		atMost time.Duration
	}{
		{"blocked", func(bool, int) time.Duration { return time.Hour }, dump, true, 3 * time.Second},
		{"hangs by itself, too", func(patched bool, _ int) time.Duration {
			if patched {
				return time.Hour
			}
			return 10 * time.Millisecond
		}, "", true, 12 * time.Second},
		{"slow once", func(patched bool, run int) time.Duration {
			if patched && run == 0 {
				return 5 * time.Second
			}
			return 10 * time.Millisecond
		}, "", false, 5 * time.Second},
		{"as slow as the original now", func(patched bool, run int) time.Duration {
			return 30 * time.Second
		}, "", false, 95 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			tester, remove := newSuite(t, &suite{}, nil)
			defer remove()
			synctest.Test(t, func(t *testing.T) {
				runs := map[bool]int{}
				tester.run = func(ctx context.Context, o gotool.RunOptions) (gotool.RunResult, error) {
					patched := strings.HasPrefix(filepath.Base(o.Path), "patched")
					out, took := "\x16=== RUN   TestOther\n", test.takes(patched, runs[patched])
					runs[patched]++
					if o.Reads != nil {
						o.Reads([]byte(out))
					}
					began := time.Now()
					select {
					case <-time.After(took):
						out += "\x16--- PASS: TestOther (" + took.String() + ")\n"
						return gotool.RunResult{Output: []byte(out), Elapsed: took}, nil
					case <-o.Stalled:
					case <-time.After(o.Timeout):
					}
					return gotool.RunResult{Output: []byte(out + test.dump), Stop: gotool.TimedOut, ExitCode: -1, Elapsed: time.Since(began)}, nil
				}
				tester.rehearsal = &rehearsal{tester: tester, race: "original-race.test"}
				tester.rehearsal.learnt[1] = &baseline{times: deadlines{"TestOther": 10 * time.Millisecond}}
				began := time.Now()
				r, err := tester.within(t.Context(), &trial{race: true, patched: "patched-race.test"}, []string{"TestOther"}, time.Minute)
				if hangs := r.tests["TestOther"] == ""; err != nil || hangs != test.hangs || time.Since(began) > test.atMost {
					t.Errorf("it hangs: %t, after %v, error %v; want %t within %v", hangs, time.Since(began), err, test.hangs, test.atMost)
				}
			})
		})
	}
}
