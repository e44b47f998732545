package checker

import (
	"cmp"
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

// carries reports whether a search takes over what is known of executions.
func (k *check) carries() bool {
	return k.b.points != nil && k.b.checker.c.Incremental && !k.s.PastRaces
}

// settles reports whether it takes over results of whole tests: what is asked beyond
// verdicts has to be looked for.
func (k *check) settles() bool {
	s := k.s
	return k.carries() && !s.All && !s.Explain && s.Deliver == 0 && len(s.Expect) == 0
}

// An execution that makes at most one in brief of the steps that it may make is the same
// under every such bound on steps.
const brief = 20

// isBrief reports whether the bound of a search has no influence on an execution.
func isBrief(o *wire.Outcome, s wire.Search) bool {
	return o.Execution.Steps*brief <= cmp.Or(s.Steps, leastSteps)
}

// leastSteps is at most what the engine has as its default.
const leastSteps = 20_000

// scope names all that an execution of a test depends on beside the program and its key:
// with the bound on steps, or without it for brief ones.
func (k *check) scope(test string, s wire.Search, bounded bool) string {
	on := wire.Search{Depth: s.Depth, Seed: s.Seed, Patience: s.Patience, TrustTests: s.TrustTests, Guards: s.Guards, Standing: s.Standing, Start: s.Start}
	if bounded {
		on.Steps = cmp.Or(s.Steps, -1)
	}
	return k.scopeOf(test, on)
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
	if !k.settles() {
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
		taken := *known.Value
		taken.Carried, taken.Repeated, taken.Seconds = taken.Executions, 0, 0
		k.mu.Lock()
		k.addAnswer(&part{seed: k.s.Seed}, t, &taken)
		k.mu.Unlock()
	}
	return rest
}

// recall adds to a request what is known of the executions that it asks for.
func (k *check) recall(r *wire.Request) {
	r.Once = k.b.checker.c.Incremental
	if !k.carries() {
		return
	}
	r.Points = k.b.points.Len()
	m := k.b.checker.memory
	for _, test := range r.Tests {
		found := m.executions.Find(k.scope(test, r.Search, true), k.b.points)
		for key, o := range m.executions.Find(k.scope(test, r.Search, false), k.b.points) {
			if isBrief(&o.Value, r.Search) {
				found[key] = o
			}
		}
		asked := func(key string) bool {
			return !strings.HasPrefix(key, wire.Given) || slices.ContainsFunc(r.First, func(s wire.Schedule) bool {
				return strings.HasPrefix(key, wire.Given+s.Choices+" ")
			})
		}
		for _, key := range slices.Sorted(maps.Keys(found)) {
			if asked(key) {
				o := found[key].Value
				o.Reached = found[key].Reached
				r.Known = append(r.Known, o)
			}
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
		if f := o.Execution.Failure; f != nil {
			f.Signature = k.b.identity() + " " + f.Signature // its places are those of this program
		}
		m.executions.Add(k.scope(a.Name, s, !isBrief(&o, s)), o.Key, k.b.points, reached, o)
	}
	a.Outcomes = nil
	if a.Settled && k.settles() {
		known := *a
		m.tests.Add(k.whole(a.Name, s), a.Name, k.b.points, a.Reached, &known)
	}
}
