package original

import (
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
)

// The failures of the original need as few preemptions as their simplest schedules have.
func TestNeeds(t *testing.T) {
	failure := func(signature string, preemptions int, proven bool) checker.Failure {
		return checker.Failure{Failure: evidence.Failure{Signature: signature}, Preemptions: preemptions, Proven: proven}
	}
	o := &checkedOriginal{Checked: &checker.Report{Failures: []checker.Failure{failure("a", 5, false), failure("b", 1, false)}}}
	o.needs(failure("a", 2, true))
	o.needs(failure("b", 3, false))
	o.needs(failure("c", 0, true))
	for i, want := range []checker.Failure{failure("a", 2, true), failure("b", 1, false)} {
		if f := o.Checked.Failures[i]; f.Preemptions != want.Preemptions || f.Proven != want.Proven {
			t.Errorf("%s needs %d preemptions, %t; want %d, %t", f.Signature, f.Preemptions, f.Proven, want.Preemptions, want.Proven)
		}
	}
}
