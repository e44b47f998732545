package driver

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel/checker/sched"
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
	if scratch.Verdict != sched.Failed || scratch.Sampled != 30 || scratch.Passed == 0 || len(scratch.Outcomes) != 30 || scratch.Carried != 0 {
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
