package explore

import (
	"fmt"
	"testing"
	"time"

	"mendel/checker/sched"
)

// treeStrategies are the strategies that a tree leads, one after the other, with how many
// executions of each are made.
func treeStrategies() map[string]func() sched.Strategy {
	all := map[string]func() sched.Strategy{
		"random": func() sched.Strategy { return newRandom(1) },
		"pct":    func() sched.Strategy { return newPCT(1, 3) },
		"pos":    func() sched.Strategy { return newPOS(1) },
		"dfs -1": func() sched.Strategy { return newDFS(-1, true) },
	}
	for bound := range 3 {
		all[fmt.Sprint("dfs ", bound)] = func() sched.Strategy { return newDFS(bound, true) }
	}
	return all
}

// An execution that a tree knows is the one that the strategy makes, and so are all after
// it.
func TestTreeLeadsWhereStrategiesGo(t *testing.T) {
	defer sched.OneProcessor()() // as the driver
	timed := func() {
		c := sched.MakeChan[int](1)
		for i := range 2 {
			sched.NewTimer(time.Duration(5+i), func() { sched.Send(c, i) })
			sched.Go(func() { sched.Sleep(3); sched.Send(c, 2) })
		}
		if sched.Recv(c)+sched.Recv(c) == 1 {
			sched.Fail("both timers")
		}
		sched.Recv(c)
		sched.Recv(c)
	}
	made, led := 0, 0
	compare := func(name string, timed bool, run func(sched.Strategy) *sched.Execution) {
		trees := map[bool]*Tree{}
		for _, strategy := range []string{"random", "dfs -1", "pct", "dfs 0", "dfs 1", "pos", "dfs 2", "random"} {
			alone, treed := treeStrategies()[strategy](), treeStrategies()[strategy]()
			_, samples := alone.(Numbered)
			if trees[timed && samples] == nil {
				trees[timed && samples] = NewTree(timed)
			}
			tree := trees[timed && samples]
			for n := range 40 {
				if more := alone.Begin(); treed.Begin() != more {
					t.Fatalf("%s: %s ends after %d executions, or not", name, strategy, n)
				} else if !more {
					break
				}
				want := run(alone)
				alone.End(want)
				made++
				got, rest := tree.Lead(treed)
				if got != nil {
					led++
				} else if got = run(rest); !tree.Note(rest, got) {
					t.Fatalf("%s: execution %d of %s differs from what is known", name, n, strategy)
				}
				treed.End(got)
				if told(got) != told(want) {
					t.Fatalf("%s: execution %d of %s:\n%s\nwant\n%s", name, n, strategy, told(got), told(want))
				}
			}
		}
	}
	for name, kinds := range map[string][][]op{"atomics": atomicOps, "locks": lockOps, "channels": channelOps, "others": otherOps} {
		draw := randomProgram(kinds)
		for seed := range 25 {
			if p := draw.Example(seed); wellFormed(p) {
				compare(fmt.Sprint(name, " ", seed), false, func(s sched.Strategy) *sched.Execution {
					in := &interpreter{p: p, pc: make([]int, len(p.threads)), regs: make([][]int, len(p.threads)), woken: make([]bool, len(p.threads))}
					return sched.Run(s, sched.Options{Clocked: true}, in.body)
				})
			}
		}
	}
	for _, clocked := range []bool{false, true} {
		compare("timed", true, func(s sched.Strategy) *sched.Execution { return sched.Run(s, sched.Options{Clocked: clocked}, timed) })
	}
	if led*4 < made {
		t.Errorf("%d of %d executions were led to: too few to tell anything", led, made)
	}
	t.Logf("%d of %d executions were led to", led, made)
}

// told is what is compared of an execution.
func told(x *sched.Execution) string {
	signature := ""
	if x.Failure != nil {
		signature = x.Failure.Kind + " " + x.Failure.Signature
	}
	return fmt.Sprint(sched.FormatChoices(x.Choices), ": ", x.Steps, " steps, ", x.Preempted, " preemptions, abandoned ", x.Abandoned, ", ", signature)
}

// A program that does something else with the same choices is noticed, and nothing is
// known of it. Nor is one that sets timers without having said so.
func TestTreeNoticesWhatIsNotInTheSchedule(t *testing.T) {
	defer sched.OneProcessor()()
	n := 0
	flaky := func() {
		n++
		for range n%3 + 1 {
			sched.Yield()
		}
	}
	tree, s, noticed := NewTree(false), newRandom(1), false
	for range 4 {
		s.Begin()
		x, rest := tree.Lead(s)
		if x == nil {
			x = sched.Run(rest, sched.Options{}, flaky)
			noticed = noticed || !tree.Note(rest, x)
		}
		s.End(x)
	}
	if noticed {
		t.Error("an execution was made though the tree had it")
	}
	other := newDFS(-1, true) // with the reduction it is not led
	other.Begin()
	_, rest := tree.Lead(other)
	if x := sched.Run(rest, sched.Options{}, flaky); tree.Note(rest, x) {
		t.Error("another execution with the same choices was not noticed")
	}
	if x, rest := tree.Lead(s); x != nil || rest != sched.Strategy(s) {
		t.Error("the tree is used all the same")
	}

	timer := NewTree(false)
	s.Begin()
	_, rest = timer.Lead(s)
	timer.Note(rest, sched.Run(rest, sched.Options{}, func() { sched.Sleep(1) }))
	if _, rest := timer.Lead(s); rest != sched.Strategy(s) {
		t.Error("a tree is used for executions with timers")
	}
}
