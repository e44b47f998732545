package evolve

import (
	"fmt"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
)

// raceIn is a race of the innermost known functions of two goroutines.
func raceIn(functions ...string) evidence.Failure {
	f := evidence.Failure{Kind: evidence.Race, Signature: "race"}
	for _, name := range functions {
		f.Stacks = append(f.Stacks, evidence.Stack{Frames: []evidence.Frame{
			{Func: "sync/atomic.AddInt64", File: "/go/src/sync/atomic/doc.go"},
			{Func: "example.com/bank." + name, File: "/home/me/bank.go"},
			{Func: "example.com/bank.TestAll", File: "/home/me/bank_test.go"},
		}})
	}
	return f
}

// A mutant that guards one side of a race goes on with the other, on its lock.
func TestTold(t *testing.T) {
	on := func(name, lock string, node int) mutate.Edit {
		e := edit("lockstatement", node)
		e.Func, e.Lock = name, &analysis.Lock{Expr: lock, Key: "pkg." + lock}
		return e
	}
	space := grid(0, operators, 0)
	space.edits = []mutate.Edit{
		on("(*Bank).Put", "mu", 0), on("(*Bank).Get", "mu", 1), on("(*Bank).Get", "other", 2), on("(*Bank).Get", "mu", 3), on("(*Bank).Sum", "mu", 4),
	}
	s := ready(t, space, Options{})
	for _, c := range []struct {
		name     string
		edits    []mutate.Edit
		failures []evidence.Failure
		want     string
	}{
		{"other side", space.edits[:1], []evidence.Failure{raceIn("(*Bank).Put", "(*Bank).Get.func1")}, "0+1 0+3"},
		{"its own edit there gives way", []mutate.Edit{space.edits[0], space.edits[1]}, []evidence.Failure{raceIn("(*Bank).Get")}, "0+3"},
		{"nowhere known", space.edits[:1], []evidence.Failure{raceIn("helper")}, ""},
		{"nothing told", space.edits[:1], nil, ""},
		{"the original", nil, []evidence.Failure{raceIn("(*Bank).Get")}, ""},
	} {
		base := stateOf(t, s, 0, c.edits...)
		base.result.Samples = c.failures
		got := map[string]bool{}
		for p := range s.told(base, s.stream(everybody)) {
			var nodes []string
			for _, e := range p.edits {
				nodes = append(nodes, fmt.Sprint(e.Node))
			}
			got[strings.Join(nodes, "+")] = true
		}
		want := strings.Fields(c.want)
		if len(got) != len(want) {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
		for _, w := range want {
			if !got[w] {
				t.Errorf("%s: %v, want %v", c.name, got, want)
			}
		}
	}
}

func TestInFunction(t *testing.T) {
	for _, c := range []struct {
		qualified, name string
		want            bool
	}{
		{"github.com/robfig/cron/v3.(*Cron).Stop", "(*Cron).Stop", true},
		{"github.com/robfig/cron/v3.(*Cron).Stop.func1", "(*Cron).Stop", true},
		{"github.com/robfig/cron/v3.(*Cron).StopAll", "(*Cron).Stop", false},
		{"main.run", "run", true},
		{"main.(*Map[...]).Set", "(*Map).Set", true},
		{"main.other", "run", false},
	} {
		if got := inFunction(c.qualified, c.name); got != c.want {
			t.Errorf("%s in %s: %v", c.qualified, c.name, got)
		}
	}
}
