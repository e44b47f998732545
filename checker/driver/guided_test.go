package driver

import (
	"runtime"
	"strconv"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// A program is guided along a schedule that fails it, and along one of another
// program: what it does is traced whether it fails or not.
func TestGuided(t *testing.T) {
	found := checked(t, wire.Search{Strategy: "dfs"}, transfer).Failures[0]
	ordered := func(*testing.T) {
		n, done := new(int), sched.MakeChan[int](0)
		sched.Go(func() { *sched.W(n) = 1; sched.Send(done, 1) })
		sched.Recv(done)
		*sched.W(n) = 2
	}
	_, file, _, _ := runtime.Caller(0)
	line, err := strconv.Atoi(lineOf(t, "guided_test.go", "*sched.W(n) = 1"))
	if err != nil {
		t.Fatal(err)
	}
	var tests []*wire.Test
	for _, a := range ask(t, suite{{Tests: []Test{{"TestX", transfer}, {"TestOther", ordered}}, Planted: race}}, wire.Request{
		Mode:  wire.Guided,
		Watch: []sched.Watched{{File: file, Line: line, Write: true}, {File: file, Line: line + 2, Write: false}},
		First: []wire.Schedule{{Test: "TestX", Choices: found.Choices}, {Test: "TestOther", Choices: found.Choices}, {Test: "TestNone", Choices: "0"}},
	}) {
		if a.Test != nil {
			tests = append(tests, a.Test)
		}
	}
	if len(tests) != 3 {
		t.Fatalf("%d answers", len(tests))
	}
	if r := tests[0]; r.Verdict != explore.Failed || r.Diverged != "" || r.Failures[0].Choices != found.Choices || len(r.Failures[0].Trace) == 0 || r.Trace != nil {
		t.Errorf("its own schedule: %+v", r)
	}
	if r := tests[1]; r.Verdict != explore.Passed || r.Diverged == "" || len(r.Goroutines) != 2 || len(r.Trace) < 4 {
		t.Errorf("another program's: %+v", r)
	}
	// One of its two writes is watched. It does not make the watched read.
	if a := tests[1].Accesses; len(a) != 1 || a[0].What != "write" || a[0].Line != line || a[0].Goroutine != tests[1].Goroutines[1] ||
		tests[1].Trace[a[0].Step].G != 1 {
		t.Errorf("accesses %+v", a)
	}
	if r := tests[2]; r.Verdict != explore.Inconclusive || r.Reason == "" {
		t.Errorf("no such test: %+v", r)
	}
}
