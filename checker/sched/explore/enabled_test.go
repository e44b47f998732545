package explore

import (
	"slices"
	"testing"
	"time"

	"mendel/checker/sched"
	"mendel/internal/sample"
)

// observer compares the list of enabled operations with one made anew.
type observer struct {
	random
	t    *testing.T
	view sched.View
}

func (s *observer) View(v sched.View) { s.view = v }

func (s *observer) Next(enabled []sched.Pending, current int, yielding bool) int {
	var want []sched.Pending
	for _, g := range s.view.Alive() {
		if e := s.view.Op(g).Enabled; e == nil || e() {
			want = append(want, s.view.Pending(g))
		}
	}
	if !slices.Equal(enabled, want) {
		s.t.Errorf("enabled %+v, want %+v", enabled, want)
		return -1
	}
	return s.random.Next(enabled, current, yielding)
}

// TestEnabled looks at each decision of random schedules of the litmus programs.
func TestEnabled(t *testing.T) {
	defer sched.OneProcessor()() // as the driver
	s := &observer{random: *newRandom(3), t: t}
	for _, p := range programs {
		for range sample.Count(10, 40) {
			s.Begin()
			execute(t, p.litmus, s)
			s.Begin()
			sched.Run(s, sched.Options{}, func() {
				for range 8 { // so many that the list is kept
					sched.Go(func() { sched.Yield() })
				}
				n := len(p.threads)
				(&interpreter{p: p.litmus, pc: make([]int, n), regs: make([][]int, n), woken: make([]bool, n)}).body()
			})
		}
		if t.Failed() {
			t.Fatal(p.name)
		}
	}
}

// TestTimePasses has a goroutine overtaken by a timer, and has its schedule followed.
// If time-outs are believed, only a Timekeeper does that, for a moment.
func TestTimePasses(t *testing.T) {
	const maxComputing = time.Millisecond // for how long an execution computes in all
	for _, test := range []struct {
		sleep, patience time.Duration
		want, all       bool // whether Timekeepers do, and dfs too
	}{
		{maxComputing, -1, true, false}, {maxComputing + 1, -1, false, false},
		{maxComputing + 1, 0, true, true}, {time.Hour, 0, true, true},
		{time.Hour, time.Hour, false, false}, {time.Hour, time.Hour + 1, true, true},
	} {
		body := func() {
			var cell sched.Object
			ready := false
			sched.Go(func() {
				sched.Do(sched.Op{Kind: sched.KindStore, Obj: &cell})
				ready = true
			})
			sched.Sleep(test.sleep)
			if sched.Do(sched.Op{Kind: sched.KindLoad, Obj: &cell, Read: true}); !ready {
				sched.Fail("overtaken")
			}
		}
		for _, name := range []string{"random", "pct", "pos"} {
			r, err := Explore(nil, Search{Strategy: name, Executions: 400, Run: sched.Options{Patience: test.patience}}, body)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Verdict == Failed; got != test.want {
				t.Errorf("%s, sleep %v, patience %v: %s, want a failure: %v", name, test.sleep, test.patience, r, test.want)
			}
			if !test.want {
				continue
			}
			choices, err := sched.ParseChoices(sched.FormatChoices(r.Failures[0].Execution.Choices))
			if err != nil {
				t.Fatal(err)
			}
			g := NewGuided(choices)
			g.Begin()
			if x := sched.Run(g, sched.Options{}, body); x.Failure == nil || g.Diverged() != "" {
				t.Errorf("%s: guided: %v, diverged %q", name, x.Failure, g.Diverged())
			}
		}
		r, _ := Explore(nil, Search{Strategy: "dfs", Preemptions: -1, Run: sched.Options{Patience: test.patience}}, body)
		if (r.Verdict == Failed) != test.all || !test.all && (r.Verdict != Exhausted || r.Reason == "") {
			t.Errorf("dfs, sleep %v, patience %v: %s", test.sleep, test.patience, r)
		}
	}
}
