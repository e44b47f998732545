package checker

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mendel/checker/incremental"
	"mendel/checker/wire"
)

// What was found out about the executions of one program is taken over for others, see
// Config.Incremental.

// A memory has what is known of all programs of a Checker.
type memory struct {
	executions incremental.Memory[wire.Outcome]
	tests      incremental.Memory[*wire.Test] // whose results are settled
}

// carries reports whether a search takes over what is known. What is asked beyond verdicts
// has to be looked for.
func (k *check) carries() bool {
	s := k.s
	return k.b.points != nil && k.b.checker.c.Incremental && !s.All && !s.Explain && s.Deliver == 0 && len(s.Expect) == 0
}

// scope names all that an execution of a test depends on beside the program and its key.
func (k *check) scope(test string, s wire.Search) string {
	return k.scopeOf(test, wire.Search{
		Depth: s.Depth, Seed: s.Seed, Steps: s.Steps, StepTime: s.StepTime, Patience: s.Patience, TrustTests: s.TrustTests, Start: s.Start,
	})
}

// whole names all that the result of a test depends on beside the program.
func (k *check) whole(test string, s wire.Search) string {
	s.Time = 0
	first, err := json.Marshal(of([]string{test}, k.s.First))
	if err != nil {
		return "" // not possible
	}
	return k.scopeOf(test, s) + string(first)
}

func (k *check) scopeOf(test string, s wire.Search) string {
	text, err := json.Marshal(s)
	if err != nil {
		return "" // not possible
	}
	return fmt.Sprintf("%s\n%s\n%s\n", test, strings.Join(k.b.left, " "), text)
}

// settled takes over the results of tests that are known, and returns the others.
func (k *check) settled(tests []*tested) (rest []*tested) {
	if !k.carries() {
		return tests
	}
	search := k.search(0)
	for _, t := range tests {
		found := k.b.checker.memory.tests.Find(k.whole(t.name, search), k.b.points)
		known, ok := found[t.name]
		if !ok {
			rest = append(rest, t)
			continue
		}
		taken := *known
		taken.Carried, taken.Seconds = taken.Executions, 0
		k.mu.Lock()
		k.addAnswer(&part{seed: k.s.Seed}, t, &taken)
		k.mu.Unlock()
	}
	return rest
}

// recall adds to a request what is known of the executions that it asks for.
func (k *check) recall(r *wire.Request) {
	if !k.carries() {
		return
	}
	r.Points = k.b.points.Len()
	for _, test := range r.Tests {
		found := k.b.checker.memory.executions.Find(k.scope(test, r.Search), k.b.points)
		for _, key := range slices.Sorted(maps.Keys(found)) {
			r.Known = append(r.Known, found[key])
		}
	}
}

// learn takes down what a process has found out.
func (k *check) learn(s wire.Search, a *wire.Test) {
	if !k.carries() {
		return
	}
	m := k.b.checker.memory
	for _, o := range a.Outcomes {
		reached := o.Reached
		o.Reached = nil
		m.executions.Add(k.scope(a.Name, s), o.Key, k.b.points, reached, o)
	}
	a.Outcomes = nil
	if a.Settled {
		known := *a
		m.tests.Add(k.whole(a.Name, s), a.Name, k.b.points, a.Reached, &known)
	}
}
