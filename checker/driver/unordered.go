package driver

import (
	"strings"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// disorder answers that no execution kept the order that the test states, with the plain one as
// an example.
func (e *exploration) disorder() {
	e.result.Unordered = e.unordered
	if e.unordered == 0 || e.result.Executions > 0 || e.undone() || kindOf(e.plain) != sched.Unordered {
		return
	}
	x := e.tracing(e.plain)
	if e.undone() || kindOf(x) != sched.Unordered {
		return
	}
	f := failure(x, "plain", 1)
	f.Failure = unkept(f.Failure)
	f.Trace, f.Log, f.After = x.Trace, e.runner.top.log(), e.result.After
	e.result.Disorder = &f
}

// unkept is the failure of a test whose order cannot be kept.
func unkept(f sched.Failure) sched.Failure {
	f.Kind = sched.TestFailure
	f.Signature = sched.TestFailure + strings.TrimPrefix(f.Signature, sched.Unordered)
	return f
}

// unorderly is the result of one execution in which the order of the test cannot be kept.
// Along a recorded schedule that is what was recorded.
func unorderly(result *wire.Test, f wire.Failure, replayed bool) {
	f.Failure = unkept(f.Failure)
	result.Executions, result.Unordered = 0, 1
	if !replayed {
		result.Verdict, result.Reason, result.Disorder = explore.Passed, "the order of the test was not seen", &f
		return
	}
	result.Verdict, result.Failures = explore.Failed, []wire.Failure{f}
}
