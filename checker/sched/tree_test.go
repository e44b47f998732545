package sched

import (
	"fmt"
	"testing"
	"time"
)

// treeStrategies are the strategies that a tree leads, one after the other, with how many
// executions of each are made.
func treeStrategies() map[string]func() Strategy {
	all := map[string]func() Strategy{
		"random": func() Strategy { return newRandom(1) },
		"pct":    func() Strategy { return newPCT(1, 3) },
		"pos":    func() Strategy { return newPOS(1) },
		"dfs -1": func() Strategy { return newDFS(-1, true) },
	}
	for bound := range 3 {
		all[fmt.Sprint("dfs ", bound)] = func() Strategy { return newDFS(bound, true) }
	}
	return all
}

// An execution that a tree knows is the one that the strategy makes, and so are all after
// it.
func TestTreeLeadsWhereStrategiesGo(t *testing.T) {
	defer OneProcessor()() // as the driver
	timed := func() {
		c := MakeChan[int](1)
		for i := range 2 {
			NewTimer(time.Duration(5+i), func() { Send(c, i) })
			Go(func() { Sleep(3); Send(c, 2) })
		}
		if Recv(c)+Recv(c) == 1 {
			Fail("both timers")
		}
		Recv(c)
		Recv(c)
	}
	made, led := 0, 0
	compare := func(name string, timed bool, run func(Strategy) *Execution) {
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
				compare(fmt.Sprint(name, " ", seed), false, func(s Strategy) *Execution {
					in := &interpreter{p: p, pc: make([]int, len(p.threads)), regs: make([][]int, len(p.threads)), woken: make([]bool, len(p.threads))}
					return Run(s, Options{Clocked: true}, in.body)
				})
			}
		}
	}
	for _, clocked := range []bool{false, true} {
		compare("timed", true, func(s Strategy) *Execution { return Run(s, Options{Clocked: clocked}, timed) })
	}
	if led*4 < made {
		t.Errorf("%d of %d executions were led to: too few to tell anything", led, made)
	}
	t.Logf("%d of %d executions were led to", led, made)
}

// told is what is compared of an execution.
func told(x *Execution) string {
	signature := ""
	if x.Failure != nil {
		signature = x.Failure.Kind + " " + x.Failure.Signature
	}
	return fmt.Sprint(FormatChoices(x.Choices), ": ", x.Steps, " steps, ", x.Preempted, " preemptions, abandoned ", x.Abandoned, ", ", signature)
}

// A program that does something else with the same choices is noticed, and nothing is
// known of it. Nor is one that sets timers without having said so.
func TestTreeNoticesWhatIsNotInTheSchedule(t *testing.T) {
	defer OneProcessor()()
	n := 0
	flaky := func() {
		n++
		for range n%3 + 1 {
			Yield()
		}
	}
	tree, s, noticed := NewTree(false), newRandom(1), false
	for range 4 {
		s.Begin()
		x, rest := tree.Lead(s)
		if x == nil {
			x = Run(rest, Options{}, flaky)
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
	if x := Run(rest, Options{}, flaky); tree.Note(rest, x) {
		t.Error("another execution with the same choices was not noticed")
	}
	if x, rest := tree.Lead(s); x != nil || rest != Strategy(s) {
		t.Error("the tree is used all the same")
	}

	timer := NewTree(false)
	s.Begin()
	_, rest = timer.Lead(s)
	timer.Note(rest, Run(rest, Options{}, func() { Sleep(1) }))
	if _, rest := timer.Lead(s); rest != Strategy(s) {
		t.Error("a tree is used for executions with timers")
	}
}
