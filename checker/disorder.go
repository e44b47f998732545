package checker

import (
	"fmt"
	"strings"

	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// disorder adds the failure of a test that states an order which no schedule has kept. The
// caller holds k.mu.
func (k *check) disorder(t *tested) {
	kept, unordered := t.perProcess.executions, t.perProcess.unordered
	example, exhausted, bound := t.perProcess.disorder, false, -1
	for _, a := range t.answers {
		if a.Stateful {
			continue
		}
		kept += a.Executions
		unordered += a.Unordered
		if a.Disorder != nil && example == nil {
			example = a.Disorder
		}
		if a.Complete && a.Verdict == explore.Exhausted && !a.helper {
			exhausted, bound = true, a.Bound
		}
	}
	if kept > 0 || example == nil || len(t.failures) > 0 {
		return
	}
	f := *example
	how := fmt.Sprintf("the order was not seen in %s", count(unordered, "schedule"))
	if exhausted {
		how = "the order cannot happen"
	}
	if bound >= 0 {
		how += fmt.Sprintf(" with up to %s", count(bound, "preemption"))
	}
	_, why, _ := strings.Cut(f.Failure.Message, "cannot be kept: ")
	f.Failure.Message = how + ": " + why
	k.add(t, f, k.s.Seed)
}

// note notes an execution that did not keep the order of the test.
func (p *perProcess) note(a *wire.Test) {
	p.unordered += a.Unordered
	if p.disorder == nil {
		p.disorder = a.Disorder
	}
}
