package driver

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// lossy is a test of which some schedules lose an update, and others race.
func lossy(t *testing.T) {
	n := 0
	m, done := sched.MakeChan[bool](1), sched.MakeChan[bool](2)
	for range 2 {
		sched.Go(func() {
			sched.Send(m, true)
			x := n
			sched.Recv(m)
			sched.Send(m, true)
			n = x + 1
			sched.Recv(m)
			sched.Send(done, true)
		})
	}
	sched.Recv(done)
	sched.Recv(done)
	if n != 2 {
		Of(t).Error("lost")
	}
}

// What the test's own executions came to is not made again, and the result is the same. If
// there is more to them than the schedule, that is noticed, and everything made.
func TestOnce(t *testing.T) {
	explored := func(test func(*testing.T), strategy string, once bool) *wire.Test {
		t.Helper()
		s := suite{{Tests: []Test{{"TestOnce", test}}, Planted: race}}
		return about(t, ask(t, s, wire.Request{Mode: wire.Check, Tests: []string{"TestOnce"}, Points: 8, Once: once,
			Search: wire.Search{Strategy: strategy, Sample: 60, Executions: 400, Seed: 1, Start: 1}}))
	}
	// text is a result without what may differ.
	text := func(r *wire.Test) string {
		told := *r
		told.Seconds, told.Repeated, told.Redundant = 0, 0, 0
		b, err := json.MarshalIndent(told, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	short := func(*testing.T) {
		done := sched.MakeChan[bool](2)
		for range 2 {
			sched.Go(func() { sched.Send(done, true) })
		}
		sched.Recv(done)
		sched.Recv(done)
	}
	for name, test := range map[string]func(*testing.T){"fails": lossy, "passes": short} {
		for _, strategy := range []string{"auto", "dfs"} {
			all, once := explored(test, strategy, false), explored(test, strategy, true)
			if all.Repeated != 0 || once.Repeated < 10 {
				t.Errorf("%s, %s: %d and %d executions were made before", name, strategy, all.Repeated, once.Repeated)
			}
			if diff := cmp.Diff(text(all), text(once)); diff != "" {
				t.Errorf("%s, %s: -all +once:\n%s", name, strategy, diff)
			}
		}
	}
	n := 0
	odd := func(t *testing.T) { // always the same but for one execution, of the sample
		if n++; n == 10 {
			sched.Yield()
		}
		short(t)
	}
	if r := explored(odd, "dfs", true); r.Repeated != 0 {
		t.Errorf("%d executions were taken for others, though they may differ", r.Repeated)
	}
}

// What is known is not made again, and the result is the same; what is known wrongly is
// noticed, and everything made.
func TestKnown(t *testing.T) {
	s := suite{{Tests: []Test{{"TestLossy", lossy}}, Planted: race}}
	explored := func(known []wire.Outcome) *wire.Test {
		t.Helper()
		return about(t, ask(t, s, wire.Request{Mode: wire.Check, Tests: []string{"TestLossy"}, Points: 8, Known: known,
			Search: wire.Search{Strategy: "dfs", Sample: 30, Executions: 200, Seed: 1, Start: 1}}))
	}
	// text is a result without what may differ.
	text := func(r *wire.Test) string {
		told := *r
		told.Seconds, told.Carried, told.Outcomes, told.Redundant = 0, 0, nil, 0
		b, err := json.MarshalIndent(told, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	scratch := explored(nil)
	if scratch.Verdict != explore.Failed || scratch.Sampled != 30 || scratch.Passed == 0 || len(scratch.Outcomes) != 30 || scratch.Carried != 0 {
		t.Fatalf("from scratch: %+v", scratch)
	}
	again := explored(scratch.Outcomes)
	if again.Carried < 25 || len(again.Outcomes) != 0 {
		t.Errorf("%d taken over, %d answered", again.Carried, len(again.Outcomes))
	}
	if diff := cmp.Diff(text(scratch), text(again)); diff != "" {
		t.Errorf("-from scratch +known:\n%s", diff)
	}
	for i := range scratch.Outcomes {
		if f := scratch.Outcomes[i].Execution.Failure; f != nil {
			f.Kind = sched.Deadlock
		}
	}
	denied := explored(scratch.Outcomes)
	if denied.Carried != 0 {
		t.Errorf("%d taken over of what is wrong", denied.Carried)
	}
	if diff := cmp.Diff(text(scratch), text(denied)); diff != "" {
		t.Errorf("-from scratch +known wrongly:\n%s", diff)
	}
}
