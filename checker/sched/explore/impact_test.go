package explore

import (
	"runtime"
	"testing"

	"mendel/checker/sched"
	"mendel/internal/sample"
)

// here is the line of its caller.
func here() int {
	_, _, line, _ := runtime.Caller(1)
	return line
}

// TestImpact finds a failure that needs two preemptions in a few lines among many
// schedules sooner when these lines are known to matter, and leaves nothing out.
func TestImpact(t *testing.T) {
	from, to := 0, 0
	body := func() {
		var l luo
		a, b := new(int), new(int)
		busy := func() {
			for range 4 {
				l.guarded(func() { _ = *sched.R(b) })
			}
		}
		add := func() {
			busy()
			n := 0
			from = here()
			l.lock()
			n = *sched.R(a)
			l.unlock()
			l.lock()
			*sched.W(a) = n + 1
			l.unlock()
			to = here()
			busy()
		}
		together(add, add)
		if *sched.R(a) == 1 {
			sched.Fail("an addition was lost")
		}
	}
	sched.Run(NewGuided(nil), sched.Options{}, body) // to know the lines
	_, file, _, _ := runtime.Caller(0)
	needed := func(i *sched.Impact) int {
		r, err := Explore(nil, Search{Strategy: "dfs", Executions: 100_000, Impact: i}, body)
		if err != nil || r.Verdict != Failed {
			t.Fatalf("%v %v", r, err)
		}
		return r.Failures[0].Nth
	}
	basic := needed(nil)
	for _, i := range []*sched.Impact{
		{Ranges: []sched.Lines{{File: file, From: from, To: to}}, Stack: true}, {Ranges: []sched.Lines{{File: file, From: from, To: to}}, Stack: true, All: true},
	} {
		got := needed(i)
		t.Logf("all %t: %d schedules; basic %d", i.All, got, basic)
		if got >= basic {
			t.Errorf("all %t: %d schedules, without it %d", i.All, got, basic)
		}
	}
}

// TestImpactLeavesNothingOut compares the outcomes of random programs with and without a
// preference.
func TestImpactLeavesNothingOut(t *testing.T) {
	draw := randomProgram(lockOps)
	_, file, _, _ := runtime.Caller(0)
	for seed := range sample.Count(15, 40) {
		p := draw.Example(seed)
		if !wellFormed(p) {
			continue
		}
		var verdicts []Verdict
		for _, i := range []*sched.Impact{nil, {Ranges: []sched.Lines{{File: file, From: 1, To: 1000}}, Stack: true, All: seed%2 == 0}} {
			r, err := Explore(nil, Search{Strategy: "dfs", Executions: 100_000, Impact: i}, func() {
				(&interpreter{p: p, pc: make([]int, len(p.threads)), regs: make([][]int, len(p.threads)), woken: make([]bool, len(p.threads))}).body()
			})
			if err != nil {
				t.Fatal(err)
			}
			verdicts = append(verdicts, r.Verdict)
		}
		if verdicts[0] != verdicts[1] {
			t.Errorf("%+v: %v", p, verdicts)
		}
	}
}
