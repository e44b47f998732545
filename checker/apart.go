package checker

import (
	"cmp"
	"slices"

	"mendel/analysis/evidence"
	"mendel/checker/sched/explore"
)

// KeepApart is the report without tests that fail in ways that are kept apart, and in no others:
// they count as passed, and their executions are no part of the sample. What such tests fail by
// is in Apart of the report that is returned, unless it is there always. A test's search may have
// ended with the failure, so that it says less of these tests than of others.
func (r *Report) KeepApart(ways []evidence.Apart) *Report {
	apart := func(t TestReport) bool {
		return len(t.Fails) > 0 && !slices.ContainsFunc(t.Fails, func(k evidence.Kind) bool {
			_, known := evidence.IsApart(ways, evidence.Failure{Test: t.Name, Kind: k})
			return !known
		})
	}
	if !slices.ContainsFunc(r.Tests, apart) {
		return r
	}
	kept := *r
	kept.begin()
	kept.Failures, kept.Apart, kept.Tests = nil, slices.Clone(r.Apart), nil
	kept.Sampled, kept.Passed, kept.Kinds = 0, 0, map[string]int{}
	var names []string
	for _, t := range r.Tests {
		if apart(t) {
			names = append(names, t.Name)
			t.Verdict, t.Reason, t.Sampled, t.Passed, t.Kinds, t.Fails = explore.Passed, "", 0, 0, nil, nil
		}
		kept.Tests = append(kept.Tests, t)
		kept.judge(t)
		kept.sampled(t.Sampled, t.Passed, t.Kinds)
	}
	for _, f := range r.Failures {
		if !slices.Contains(names, f.Test) {
			kept.Failures = append(kept.Failures, f)
		} else if way, _ := evidence.IsApart(ways, f.Failure); !way.Always {
			kept.Apart = append(kept.Apart, f)
		}
	}
	if kept.Verdict == explore.Failed && len(kept.Failures) == 0 {
		return r // another test fails in the same way, which is told once
	}
	kept.end()
	return &kept
}

// begin sets the verdict to the one that any test worsens.
func (r *Report) begin() {
	r.Verdict, r.Reason, r.Bound, r.Fair, r.Classes = explore.Covered, "", -1, false, 0
}

// judge lets a test worsen the verdict.
func (r *Report) judge(one TestReport) {
	reason := one.Reason
	if reason != "" && len(r.Tests) > 1 {
		reason = one.Name + ": " + reason
	}
	switch c := cmp.Compare(slices.Index(severity, one.Verdict), slices.Index(severity, r.Verdict)); {
	case c < 0:
		r.Verdict, r.Reason = one.Verdict, reason
	case c == 0 && r.Reason == "":
		r.Reason = reason
	}
	if one.Verdict != explore.Covered && one.Bound >= 0 && (r.Bound < 0 || one.Bound < r.Bound) {
		r.Bound = one.Bound
	}
	r.Fair = r.Fair || one.Fair
	r.Classes += one.Classes
}

// end leaves out what does not go with the verdict.
func (r *Report) end() {
	if r.Verdict != explore.Exhausted {
		r.Bound, r.Fair = 0, false
	}
	if r.Verdict != explore.Covered {
		r.Classes = 0
	}
	r.TimedOut = r.TimedOut && r.Verdict == explore.Inconclusive
}
