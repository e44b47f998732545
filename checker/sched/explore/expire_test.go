package explore

import (
	"strings"
	"testing"
	"time"

	"mendel/checker/sched"
)

// A sender that is overtaken by a time-out.
func overtaken() {
	c, timeout := sched.MakeChan[int](0), sched.MakeChan[int](1)
	sched.Go(func() { sched.Send(c, 1) })
	sched.Now()
	sched.NewTimerFor(sched.Sends(timeout), "time-out", time.Second, func() { sched.SelectDefault(sched.To(timeout).Case(1)) })
	sched.Select(sched.From(c), sched.From(timeout))
}

// Each strategy finds it, and its schedule is followed as text.
func TestTimeOutWins(t *testing.T) {
	for _, strategy := range []string{"auto", "dfs", "random", "pct", "pctlarge", "pos"} {
		r, err := Explore(nil, Search{Strategy: strategy, Executions: 500}, overtaken)
		if err != nil || r.Verdict != Failed {
			t.Errorf("%s: %v, %v", strategy, r, err)
			continue
		}
		x := r.Failures[0].Execution
		choices, err := sched.ParseChoices(sched.FormatChoices(x.Choices))
		if err != nil {
			t.Fatal(err)
		}
		replay := NewReplay(choices)
		replay.Begin()
		again := sched.Run(replay, sched.Options{Trace: true, Patience: -1}, overtaken) // the schedule decides
		replay.End(again)
		if replay.Diverged() != "" || again.Failure == nil || again.Failure.Signature != x.Failure.Signature {
			t.Errorf("%s: replayed as %+v, diverged %q", strategy, again.Failure, replay.Diverged())
		}
		if len(again.TimeOuts) != 1 || again.TimeOuts[0].Lasts != time.Second || again.TimeOuts[0].Place.Line == 0 {
			t.Errorf("%s: needs %+v", strategy, again.TimeOuts)
		}
	}
}

// Schedules of earlier versions have no mark: all that is due takes effect at once
// when nothing can go on, and + is for less than a millisecond before.
func TestOldSchedule(t *testing.T) {
	var order string
	body := func() {
		order = ""
		sched.Go(func() { sched.Sleep(1000); order += "a" })
		sched.Go(func() { sched.Sleep(1000); order += "b" })
		sched.Now()
		sched.Sleep(1000)
		order += "m"
	}
	for text, want := range map[string]string{
		"0*3 1 2 0 1 2":   "mab",
		"0*3 1 2 2 1 0":   "bam",
		"0*3 1 + 0 2 1 2": "mab",
	} {
		choices, err := sched.ParseChoices(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []sched.Options{{}, {Patience: -1}, {Clocked: true}} {
			r := NewReplay(choices)
			r.Begin()
			x := sched.Run(r, o, body)
			r.End(x)
			if r.Diverged() != "" || order != want {
				t.Errorf("%s with %+v: order %q, want %q; diverged %q", text, o, order, want, r.Diverged())
			}
		}
	}
}

// What is believed is not explored, and the verdict says so.
func TestPatience(t *testing.T) {
	body := func() {
		c, timeout := sched.MakeChan[int](1), sched.MakeChan[int](1)
		sched.Go(func() { sched.Send(c, 1) })
		sched.NewTimerFor(sched.Sends(timeout), "time-out", time.Second, func() { sched.SelectDefault(sched.To(timeout).Case(1)) })
		if sched.Select(sched.From(c), sched.From(timeout)) == 1 {
			sched.Fail("timed out")
		}
	}
	for _, test := range []struct {
		patience time.Duration
		trust    bool
		want     Verdict
		reason   string
	}{
		{0, false, Failed, ""},
		{time.Second + time.Millisecond, false, Failed, ""},
		{time.Second, false, Exhausted, "no time-out of 1s or more expires"},
		{-1, false, Exhausted, "no time-out expires"},
		{0, true, Exhausted, "no time-out of a test expires"},
	} {
		r, err := Explore(nil, Search{Run: sched.Options{Patience: test.patience, TrustTests: test.trust}}, body)
		if err != nil || r.Verdict != test.want || !strings.Contains(r.Reason, test.reason) {
			t.Errorf("patience %v, tests trusted %t: %v, %v", test.patience, test.trust, r, err)
		}
	}
}

// A program whose time-outs do not end by themselves is not exhausted by a search
// without a bound.
func TestEarlyTicksAreBounded(t *testing.T) {
	defer sched.OneProcessor()() // as the driver
	body := func() {
		tick, done := ticker(time.Second), sched.MakeChan[bool](1)
		sched.Go(func() { sched.Send(done, true) })
		for sched.Select(sched.From(tick), sched.From(done)) == 0 {
		}
	}
	r, err := Explore(nil, Search{Strategy: "dfs", Preemptions: -1}, body)
	if err != nil || r.Verdict != Passed || !strings.Contains(r.Reason, "up to 6 times") {
		t.Errorf("without a bound: %v, %v", r, err)
	}
	r, err = Explore(nil, Search{Strategy: "dfs", Preemptions: 1}, body)
	if err != nil || r.Verdict == Failed || r.Executions > 1000 {
		t.Errorf("bound 1: %v, %v", r, err)
	}
}

// A failure that does not need a time-out to expire early is shown without.
func TestMinimiseBelieves(t *testing.T) {
	body := func() {
		sched.Go(func() { sched.Recv((chan int)(nil)) })
		sched.Sleep(1)
		sched.Sleep(2)
	}
	s := &everything{}
	var worst *sched.Execution
	for s.Begin() {
		if x := sched.Run(s, sched.Options{}, body); worst == nil || x.Early > worst.Early {
			worst = x
		}
	}
	best, proven := Minimise(nil, sched.Options{}, 100, worst, body)
	if worst.Early == 0 || best.Early != 0 || best.Preempted != 0 || !proven {
		t.Errorf("%d early time-outs and %d preemptions of %d, proven %t", best.Early, best.Preempted, worst.Early, proven)
	}
}

// Of a failure that needs an early time-out it is known, unless there was no time to find out.
func TestMinimiseNeeds(t *testing.T) {
	body := func() {
		done := false
		sched.Go(func() { sched.Yield(); done = true })
		sched.Sleep(1)
		if !done {
			sched.Fail("not done")
		}
	}
	s := &everything{}
	var worst *sched.Execution
	for s.Begin() {
		if x := sched.Run(s, sched.Options{}, body); x.Failure != nil && (worst == nil || x.Preempted > worst.Preempted) {
			worst = x
		}
	}
	if best, _ := Minimise(nil, sched.Options{}, 100, worst, body); best.Early != 1 || !best.Needed {
		t.Errorf("%d early time-outs, needed %t", best.Early, best.Needed)
	}
	late := func() bool { return true }
	if best, _ := Minimise(late, sched.Options{}, 100, worst, body); best.Needed {
		t.Error("nobody has tried it without")
	}
}

// Goroutines that go on for ever let time pass in the end, whoever chooses; a recorded
// schedule has it where it was. Those that end by themselves are not hurried.
func TestTimeOfBusyGoroutines(t *testing.T) {
	for _, strategy := range []string{"dfs", "random", "pos"} {
		body := func() {
			var a, b sched.Object
			over := false
			sched.Go(func() {
				for i := 0; i < 10_000 && !over; i++ {
					sched.Do(sched.Op{Kind: sched.KindStore, Obj: &a})
				}
			})
			sched.Go(func() {
				sched.Sleep(time.Second)
				over = true
			})
			for i := 0; i < 10_000 && !over; i++ {
				sched.Do(sched.Op{Kind: sched.KindStore, Obj: &b})
			}
		}
		r, err := Explore(nil, Search{Strategy: strategy, Executions: 3, Run: sched.Options{Steps: 4000}}, body)
		if err != nil || len(r.Failures) > 0 || r.Verdict == Exhausted || r.Verdict == Inconclusive {
			t.Errorf("%s: %+v, %v", strategy, r, err)
		}
	}
	for steps, early := range map[int]int{900: 0, 1100: 1} {
		body := func() {
			var a sched.Object
			sched.NewTimer(time.Second, func() {})
			for range steps {
				sched.Do(sched.Op{Kind: sched.KindStore, Obj: &a})
			}
		}
		x := sched.Run(first{}, sched.Options{Steps: 4000}, body)
		again := sched.Run(NewReplay(x.Choices), sched.Options{Steps: 400_000}, body)
		if x.Failure != nil || x.Early != early || again.Early != early || again.Steps != x.Steps {
			t.Errorf("%d steps: %d early, replayed %d in %d steps of %d", steps, x.Early, again.Early, again.Steps, x.Steps)
		}
	}
}
