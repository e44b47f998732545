package regress

import (
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker/sched"
	"mendel/internal/gotool"
)

// trace reads "1 atA, 1 -": goroutine 1 passes atA, and does something else.
func trace(text string) []sched.Event {
	var list []sched.Event
	for _, s := range strings.Split(text, ", ") {
		g, what, _ := strings.Cut(s, " ")
		e := sched.Event{G: int(g[0] - '0'), Kind: sched.KindAcquire, What: "mu.Lock"}
		if created, ok := strings.CutPrefix(what, "go "); ok {
			e.Kind, e.What, e.With = sched.KindGo, "go", int(created[0]-'0')
		} else if what != "-" {
			e.Kind, e.What = sched.KindEvent, "order.At("+what+")"
		}
		list = append(list, e)
	}
	return list
}

// The switches of an execution become orderings.
func TestOrderings(t *testing.T) {
	for _, test := range []struct{ trace, want string }{
		{"0 atA, 0 goA, 0 -", ""},
		// The first waits until the second one has arrived.
		{"1 atA, 2 atA, 1 goA, 1 -", "atA#2 -> goA"},
		// Even if the second departs before it: one event serves in the order of arrival.
		{"1 atA, 2 atA, 2 goA, 2 -, 2 atB, 1 goA, 1 -", "atA#2 -> goA"},
		// The arrival behind what the goroutine did belongs to it: the other one waits for that.
		{"2 atC, 1 atA, 1 goA, 1 -, 2 goC, 1 atB, 1 goB, 2 -", "atB -> goC"},
		// Who has been created may begin, and waits at its first spot.
		{"1 go 2, 1 atA, 1 goA, 1 -, 1 atB, 2 atC, 2 goC, 2 -", "atB -> goC"},
		// Who stops within a call, and goes on later, is blocked there.
		{"2 atC, 1 atA, 1 goA, 1 -, 2 goC, 2 -, 1 -", "atA -> goC, [goA] -> goC"},
		// Even if it was at its spot before the other one was at its own.
		{"2 atC, 1 atA, 2 goC, 2 -, 1 goA, 1 -, 2 -", "atA -> goC, [goC] -> goA"},
	} {
		if got := ordersOf(orderings(trace(test.trace))); got != test.want {
			t.Errorf("%s: %q, want %q", test.trace, got, test.want)
		}
	}
}

// Two goroutines at one spot can be made to meet there.
func TestMeetings(t *testing.T) {
	got := ordersOf(meetings(trace("1 atA, 1 goA, 1 -, 2 atA, 2 goA, 1 atB, 1 goB, 1 -, 1 atB, 1 goB")))
	if want := "atA#2 -> goA"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A failure of a copy is the same if the kind is, and the places of the program, or the words of
// the test, are.
func TestSame(t *testing.T) {
	failure := func(kind evidence.Kind, signature, message string) evidence.Failure {
		return evidence.Failure{Kind: kind, Signature: signature, Message: message}
	}
	said := want(failure(evidence.TestFailure, "test-failure: p.TestX x_test.go:3", "TestX: x_test.go:3: loaded 2 times"))
	raced := want(failure(evidence.Race, "race: p.F x.go:3, p.TestX.func1 x_test.go:9", ""))
	for _, test := range []struct {
		wanted wanted
		other  evidence.Failure
		same   bool
	}{
		{said, failure(evidence.TestFailure, "test-failure: p.TestRegressX regress_x_test.go:7", "TestRegressX: regress_x_test.go:7: loaded 3 times"), true},
		{said, failure(evidence.TestFailure, "", "TestRegressX: regress_x_test.go:7: never came: atA"), false},
		{said, failure(evidence.Panic, "", "loaded 2 times"), false},
		{raced, failure(evidence.Race, "race: p.F x.go:3, p.TestRegressX.func1.1 regress_x_test.go:12", ""), true},
		{raced, failure(evidence.Race, "race: p.F x.go:4, p.TestRegressX.func1.1 regress_x_test.go:12", ""), false},
	} {
		if got := test.wanted.like(test.other); got != test.same {
			t.Errorf("%+v is %+v: %t", test.other, test.wanted, got)
		}
	}
	run := func(code int, text string) *gotool.RunResult {
		return &gotool.RunResult{ExitCode: code, Output: []byte(text)}
	}
	if !said.seen(run(1, "    regress_x_test.go:7: loaded 12 times\n--- FAIL: TestRegressX (0.00s)\n")) {
		t.Error("the failure is not seen in the output of a run")
	}
	if said.seen(run(1, "    regress_x_test.go:7: other\n")) || said.seen(run(0, "loaded 2 times")) {
		t.Error("another outcome is taken for the failure")
	}
}
