package driver

import (
	"testing"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/state"
	"mendel/checker/wire"
)

// A test that needs what an earlier one left behind is explored after it. The
// earlier test's failures, leaks and choices are not its own.
func TestAfterEarlierTests(t *testing.T) {
	ready := false
	state.Register("", "example.com/earlier", func() { ready = false })
	begin := func(t *testing.T) {
		ready = true
		sched.GoAt("x.go:1", func() { sched.Recv(sched.MakeChan[int](0)) })
		Of(t).Error("fails, and the next one runs all the same")
	}
	needs := func(f func()) func(*testing.T) {
		return func(t *testing.T) {
			if !ready {
				Of(t).Fatal("nothing is ready")
			}
			f()
		}
	}
	s := suite{{Tests: []Test{
		{"TestBegin", begin}, {"TestNeeds", needs(func() {})}, {"TestRaces", needs(race)},
		{"TestFails", func(t *testing.T) { Of(t).Fatal("always") }},
	}, Planted: race}}
	about := func(test string) *wire.Test {
		return about(t, ask(t, s, wire.Request{Mode: wire.Check, Tests: []string{test}, Search: wire.Search{Strategy: "dfs", Executions: 1000}}))
	}
	if r := about("TestNeeds"); r.Verdict != explore.Exhausted || !r.After {
		t.Errorf("TestNeeds: %+v", r)
	}
	if r := about("TestFails"); r.Verdict != explore.Failed || r.After {
		t.Errorf("TestFails: %+v", r)
	}
	r := about("TestRaces")
	if r.Verdict != explore.Failed || r.Failures[0].Failure.Kind != sched.Race || !r.Failures[0].After {
		t.Fatalf("TestRaces: %+v", r)
	}
	again := ask(t, s, wire.Request{Mode: wire.Replay, First: []wire.Schedule{{Test: "TestRaces", Choices: r.Failures[0].Choices, After: true}}})
	for _, a := range again {
		if a.Test != nil && (a.Test.Verdict != explore.Failed || a.Test.Diverged != "") {
			t.Errorf("replay: %+v", a.Test)
		}
	}
}

// A failure in a process in which others were explored is not believed at once.
func TestStaleProcess(t *testing.T) {
	s := suite{{Tests: []Test{{"TestA", func(*testing.T) {}}, {"TestB", func(t *testing.T) { Of(t).Fatal("b") }}}, Planted: race}}
	answers := ask(t, s, wire.Request{Mode: wire.Check, Tests: []string{"TestA", "TestB"}})
	last := answers[len(answers)-2].Test
	if last == nil || last.Name != "TestB" || !last.Stale || len(last.Failures) > 0 {
		t.Errorf("%+v", last)
	}
}
