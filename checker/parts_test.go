package checker

import (
	"fmt"
	"testing"
	"time"

	"mendel/analysis"
	"mendel/checker/sched/explore"
)

// A bounded search has the same result however many processes share it.
func TestPartsAreOneSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	b := build(t, load(t, module(t, map[string]string{
		"zoo.go": counter,
		"zoo_test.go": `package zoo

import (
	"sync"
	"sync/atomic"
	"testing"
)

func both(f, g func()) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); f() }()
	go func() { defer wg.Done(); g() }()
	wg.Wait()
}

func TestRight(t *testing.T) {
	var a, b atomic.Int32
	step := func() {
		for range 3 {
			a.Add(1)
			b.Add(a.Load())
		}
	}
	both(step, step)
}

func TestAlone(t *testing.T) {}

// It takes two preemptions: one before x is 2, the other before y is read.
func TestLate(t *testing.T) {
	var x, y atomic.Int32
	both(func() {
		x.Store(1)
		x.Store(2)
		y.Store(1)
		y.Store(2)
	}, func() {
		if x.Load() == 1 && y.Load() == 2 {
			t.Error("late")
		}
	})
}

func TestFromStart(t *testing.T) { t.Error("always") }
`,
	}), analysis.Target{}, Config{}))
	for test, want := range map[string]explore.Verdict{"TestRight": explore.Exhausted, "TestAlone": explore.Exhausted, "TestLate": explore.Failed, "TestFromStart": explore.Failed} {
		results := map[string]int{}
		for n := 1; n <= 3; n++ {
			b.checker.c.Workers, b.checker.slots = n, make(chan struct{}, n)
			r := mustCheck(t, b, Search{Strategy: "dfs", Preemptions: 2, Tests: []string{test}, Budget: time.Minute, Explain: true})
			text := fmt.Sprint(r.Verdict, r.Bound, r.Fair, r.Schedules, r.Reason)
			for _, f := range r.Failures {
				text += fmt.Sprint(f.Kind, f.Nth, f.Schedule.Choices, f.Preemptions)
			}
			if results[text] = n; r.Verdict != want || len(results) > 1 || n > 1 && r.Processes != n {
				t.Errorf("%s: %d processes started for %d workers; results %v", test, r.Processes, n, results)
			}
		}
	}
}
