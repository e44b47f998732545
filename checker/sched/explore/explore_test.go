package explore

import (
	"strings"
	"testing"

	"mendel/checker/sched"
)

// search explores a litmus program.
func search(t *testing.T, p *litmus, s Search) *Report {
	t.Helper()
	body := func() {
		in := &interpreter{p: p, pc: make([]int, len(p.threads)), regs: make([][]int, len(p.threads)), woken: make([]bool, len(p.threads))}
		in.body()
	}
	r, err := Explore(nil, s, body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestVerdicts(t *testing.T) {
	ordered := with0("ordered", nil, ops(lock(0), lock(1), unlock(1), unlock(0)), ops(lock(0), lock(1), unlock(1), unlock(0)))
	spins := with0("spins", nil, ops(await(0, 1)), ops(store(0, 1)))
	wide := par("wide", nil, repeat(6, store(0, 1)), repeat(6, store(0, 2)), repeat(6, store(0, 3)))
	seen := par("seen", nil, repeat(6, ops(store(0, 1), load(0))), repeat(6, ops(store(0, 2), load(0))), repeat(6, ops(store(0, 3), load(0))))
	for _, test := range []struct {
		p    *litmus
		s    Search
		want string
	}{
		{crossing(0, 0), Search{}, "failed: deadlock"},
		{crossing(0, 0), Search{Strategy: "dfs"}, "failed: deadlock"},
		{crossing(0, 0), Search{Strategy: "random"}, "failed: deadlock"},
		{crossing(0, 0), Search{Strategy: "pct"}, "failed: deadlock"},
		{crossing(0, 0), Search{Strategy: "pctlarge"}, "failed: deadlock"},
		{crossing(0, 0), Search{Strategy: "pos"}, "failed: deadlock"},
		{ordered, Search{}, "covered: every outcome of every schedule (1 classes)"},
		{ordered, Search{Strategy: "dfs"}, "exhausted: "},
		{ordered, Search{Strategy: "random", Executions: 9}, "passed 9 schedules"},
		{spins, Search{}, "(fair schedules only)"},
		{wide, Search{Executions: 500}, "covered: every outcome of every schedule (1 classes)"},
		{seen, Search{Executions: 3000}, "exhausted up to 1 preemptions"},
		{seen, Search{Executions: 50}, "exhausted up to 0 preemptions"},
		{ordered, Search{Strategy: "dfs", Preemptions: 1, Executions: 1000}, "exhausted up to 1 preemptions"},
		{ordered, Search{Strategy: "dfs", Preemptions: 1, Executions: 1000, Wider: true}, "exhausted: "},
		{wide, Search{Executions: 5, Strategy: "dfs"}, "passed 5 schedules"},
		{wide, Search{Run: sched.Options{Steps: 8}}, "passed"},
	} {
		r := search(t, test.p, test.s)
		if !strings.Contains(r.String(), test.want) {
			t.Errorf("%s, %+v: %s, want %s", test.p.name, test.s, r, test.want)
		}
		if limit := test.s.Executions; limit > 0 && (r.Executions > limit || r.Redundant > abandonedEach*limit) {
			t.Errorf("%s: %d executions and %d redundant, want at most %d", test.p.name, r.Executions, r.Redundant, limit)
		}
	}
	if _, err := Explore(nil, Search{Strategy: "best"}, func() {}); err == nil {
		t.Error("strategy best exists")
	}
	stopped, _ := Explore(func() bool { return true }, Search{}, func() {})
	if stopped.Verdict != Inconclusive {
		t.Errorf("stopped at once: %s", stopped)
	}
}

// Where goroutines look again and again until something has come, auto spends little on
// their classes: there is one for each number of looks.
func TestSpinsAreHardlyClassed(t *testing.T) {
	spins := with0("spins", nil, ops(await(0, 1), store(1, 1)), ops(store(0, 1), await(1, 1)), ops(await(1, 1)))
	waits := par("waits", nil, repeat(6, store(0, 1)), repeat(6, store(0, 2)), repeat(6, store(0, 3)))
	for p, covered := range map[*litmus]bool{spins: false, waits: true} {
		body := func() {
			in := &interpreter{p: p, pc: make([]int, len(p.threads)), regs: make([][]int, len(p.threads)), woken: make([]bool, len(p.threads))}
			in.body()
		}
		classed := 0
		r, err := explore(nil, Search{Executions: 2_000}, func(s sched.Strategy, o sched.Options) *sched.Execution {
			if _, is := s.(*mcm); is {
				classed++
			}
			return sched.Run(s, o, body)
		})
		if err != nil || covered != (r.Verdict == Covered) || classed > firstClasses {
			t.Errorf("%s: %v, %v, %d executions for classes", p.name, r, err, classed)
		}
	}
}

// With a bound on executions, too, auto tries classes a second time where it has not seen
// all at once, but knows few.
func TestClassesAreTriedAgain(t *testing.T) {
	p := par("two write, one reads", nil, ops(store(0, 1), store(0, 2), store(0, 3)), ops(store(0, 4), store(0, 5), store(0, 6)), repeat(3, load(0)))
	all := search(t, p, Search{Strategy: "mcm"})
	if all.Verdict != Covered || all.Executions <= firstClasses || all.Executions > briefClasses {
		t.Fatalf("%s: not what the second attempt is for", all)
	}
	s := Search{Executions: 1000}
	if r := search(t, p, s); r.Verdict != Covered || r.Classes != all.Classes {
		t.Errorf("%s in %d executions, want %d classes", r, r.Executions, all.Classes)
	}
}

// Executions that are abandoned do not count against the bound.
func TestAbandonedDoNotCount(t *testing.T) {
	p := par("mutual exclusion", nil, locked(0, plain(0, 1)), locked(0, plain(0, 2)), locked(0, plain(0, 3)))
	s := Search{Strategy: "dfs", Preemptions: -1}
	all := search(t, p, s)
	if all.Verdict != Exhausted || all.Redundant < 2 {
		t.Fatalf("%s, %d redundant: nothing to tell apart", all, all.Redundant)
	}
	s.Executions = all.Executions + 1
	if r := search(t, p, s); r.Verdict != Exhausted || r.Executions != all.Executions {
		t.Errorf("with a bound of %d: %s, want %s", s.Executions, r, all)
	}
}

// TestNondeterminismIsInconclusive explores a body that remembers.
func TestNondeterminismIsInconclusive(t *testing.T) {
	runs := 0
	r, _ := Explore(nil, Search{}, func() {
		if runs++; runs == 1 {
			panic("only the first time")
		}
	})
	if r.Verdict != Inconclusive || !strings.Contains(r.Reason, "replay") {
		t.Errorf("%s", r)
	}
}

func TestMinimise(t *testing.T) {
	p := crossing(6, 6)
	s := newRandom(11)
	var worst *sched.Execution
	for range 300 {
		s.Begin()
		if x, _ := execute(t, p, s); x.Failure != nil && (worst == nil || x.Preempted > worst.Preempted) {
			worst = x
		}
	}
	body := func() {
		(&interpreter{p: p, pc: make([]int, 2), regs: make([][]int, 2), woken: make([]bool, 2)}).body()
	}
	best, proven := Minimise(nil, sched.Options{}, 1000, worst, body)
	if worst.Preempted < 3 || best.Preempted != 1 || !proven {
		t.Errorf("from %d to %d preemptions, proven: %v; want 1", worst.Preempted, best.Preempted, proven)
	}
	if best.Failure.Signature != worst.Failure.Signature {
		t.Errorf("signature %s, want %s", best.Failure.Signature, worst.Failure.Signature)
	}
	if same, proven := Minimise(nil, sched.Options{}, 0, worst, body); same != worst || proven {
		t.Error("without a budget something was found or proven")
	}
}

// TestUnwatched checks that a search of which not all accesses to memory were seen says so, and is not called exhausted.
func TestUnwatched(t *testing.T) {
	r, err := Explore(nil, Search{Strategy: "dfs"}, func() {
		c := sched.MakeChan[bool](0)
		sched.Go(func() { sched.Recv(c) })
		sched.SetFinalizer(new(int), func(*int) {})
		sched.To(c).Send(true)
	})
	if err != nil || r.Verdict != Passed || !strings.Contains(r.Reason, "finalizers are not run") {
		t.Errorf("%v %+v", err, r)
	}
}
