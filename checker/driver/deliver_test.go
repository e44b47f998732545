package driver

import (
	"slices"
	"strings"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/shim/atomic"
	"mendel/checker/wire"
)

// report is a test whose goroutine tells its result by send.
func report(send func(c chan<- int)) func(*testing.T) {
	return func(*testing.T) {
		c, done := sched.MakeChan[int](0), sched.MakeChan[bool](1)
		sched.Go(func() {
			send(c)
			sched.Send(done, true)
		})
		if sched.Select(sched.From(c), sched.From(done)) == 0 {
			sched.Recv(done)
		}
	}
}

// results counts the messages of type int in what was delivered.
func results(d wire.Delivered) (n int) {
	for _, m := range d.Messages {
		if m.Type == "int" {
			n += m.Count
		}
	}
	return n
}

func TestDeliver(t *testing.T) {
	original := report(func(c chan<- int) { sched.Send(c, 7) })
	s := wire.Search{Strategy: "dfs", Executions: 100}
	plain := checked(t, s, original)
	s.Deliver = 5
	r := checked(t, s, original)
	if r.Verdict != plain.Verdict || r.Executions != plain.Executions || plain.Delivered != nil {
		t.Errorf("asked for messages: %s after %d executions; not asked: %s after %d", r.Verdict, r.Executions, plain.Verdict, plain.Executions)
	}
	if len(r.Delivered) == 0 || len(r.Delivered) > s.Deliver {
		t.Fatalf("%d executions are told of, want some and at most %d", len(r.Delivered), s.Deliver)
	}
	var expect []wire.Schedule
	for i, d := range r.Delivered {
		if results(d) != 1 {
			t.Errorf("%q delivers %v", d.Choices, d.Messages)
		}
		if slices.ContainsFunc(r.Delivered[:i], func(other wire.Delivered) bool { return other.Choices == d.Choices }) {
			t.Errorf("%q is told of twice", d.Choices)
		}
		expect = append(expect, wire.Schedule{Test: "TestX", Choices: d.Choices})
	}
	for _, test := range []struct {
		name    string
		send    func(c chan<- int)
		decline bool
		ways    int
		loses   func(d wire.Delivered) bool
	}{
		{"the same", func(c chan<- int) { sched.Send(c, 7) }, false, 2, func(wire.Delivered) bool { return false }},
		{"the same, declining", func(c chan<- int) { sched.Send(c, 7) }, true, 4, func(wire.Delivered) bool { return false }},
		{"sent only if somebody waits", func(c chan<- int) { sched.SelectDefault(sched.To(c).Case(7)) }, true, 4,
			func(d wire.Delivered) bool { return d.Way.Declines() }},
		{"not sent", func(c chan<- int) {}, false, 2, func(wire.Delivered) bool { return true }},
	} {
		r := about(t, ask(t, suite{{Tests: []Test{{"TestX", report(test.send)}}, Planted: race}}, wire.Request{
			Mode: wire.Check, Tests: []string{"TestX"}, Expect: expect, Decline: test.decline,
			Search: wire.Search{Strategy: "dfs", Executions: 1},
		}))
		if len(r.Delivered) != test.ways*len(expect) {
			t.Errorf("%s: guided %d times, want %d ways along %d schedules", test.name, len(r.Delivered), test.ways, len(expect))
		}
		for _, d := range r.Delivered {
			if lost := results(d) == 0; lost != test.loses(d) {
				t.Errorf("%s, way %d along %q: delivered %v, declined %d", test.name, d.Way, d.Choices, d.Messages, d.Declined)
			}
		}
	}
}

// Executions that fail deliver nothing that counts.
func TestDeliverPassingOnly(t *testing.T) {
	r := checked(t, wire.Search{Strategy: "random", Executions: 50, All: true, Deliver: 20}, func(t *testing.T) {
		c := sched.MakeChan[int](2)
		for i := range 2 {
			sched.Go(func() { sched.Send(c, i) })
		}
		if first := sched.Recv(c); first == 1 {
			Of(t).Fatal("the wrong one first")
		}
		sched.Recv(c)
	})
	if r.Verdict != explore.Failed || len(r.Delivered) == 0 {
		t.Fatalf("%s, %d executions delivered", r.Verdict, len(r.Delivered))
	}
	for _, d := range r.Delivered {
		if len(d.Messages) != 2 || d.Messages[0].Value != "0" || d.Messages[1].Value != "1" {
			t.Errorf("along %q: %v", d.Choices, d.Messages)
		}
	}
}

// A program without channels is left alone after a few executions.
func TestDeliverSilent(t *testing.T) {
	made := 0
	r := checked(t, wire.Search{Strategy: "dfs", Executions: 1, Deliver: 50}, func(*testing.T) {
		made++
		var n atomic.Int32
		for range 3 {
			sched.Go(func() { n.Add(1) })
		}
	})
	if r.Delivered != nil || made > 2*silence {
		t.Errorf("%d executions are told of, %d were made", len(r.Delivered), made)
	}
}

func TestSpinningTestsAreInconclusive(t *testing.T) {
	r := checked(t, wire.Search{Strategy: "auto", Executions: 30, Steps: 1000}, func(*testing.T) {
		c := sched.MakeChan[int](0)
		sched.Go(func() {
			for {
				sched.SelectDefault(sched.From(c))
			}
		})
	})
	if r.Verdict != explore.Inconclusive || r.Spun == 0 || r.Stateful || !strings.Contains(r.Reason, "without ever waiting") {
		t.Errorf("%s (%s), spun %d, stateful %t", r.Verdict, r.Reason, r.Spun, r.Stateful)
	}
}
