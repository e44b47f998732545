package localize

import (
	"cmp"
	"slices"

	"mendel/analysis/evidence"
	"mendel/checker"
)

// A suspect is a place that may be the fault, as one failure shows it.
type suspect struct {
	at              site
	does            string // "read", "write", "lock", "channel send"
	fault           evidence.Fault
	variable        string // or lock, or channel, that it is about
	field           bool   // it names a field, and so one variable only
	score           float64
	partner         site // zero: none
	partnerDoes     string
	says            string // one sentence
	failed, passing int    // executions behind the score; 0, 0: exact
}

// An examiner examines failures.
type examiner struct {
	src        *sources
	executions map[string][]*execution // by test
}

// suspects of one failure, by all diagnoses of its kind, the most suspicious first.
func (x *examiner) suspects(f *checker.Failure) []suspect {
	all := x.executions[f.Test]
	c := &incident{examiner: x, failure: f, own: shortest(f, all), all: all}
	var list []suspect
	for _, d := range diagnoses {
		if slices.Contains(d.Kinds, f.Kind) {
			list = append(list, d.explain(c)...)
		}
	}
	return named(merged(x.ownFirst(f, x.onlyInside(list))))
}

// named gives the suspects that tell only where a fault is the name that others have for
// it, the most suspicious first.
func named(list []suspect) []suspect {
	name := evidence.SomeFailure
	if i := slices.IndexFunc(list, func(s suspect) bool { return s.fault != "" }); i >= 0 {
		name = list[i].fault
	}
	for i := range list {
		list[i].fault = cmp.Or(list[i].fault, name)
	}
	return list
}

// shortest is the execution that shows a failure with the fewest switches.
func shortest(f *checker.Failure, all []*execution) *execution {
	var best *execution
	for _, x := range all {
		if x.fails(f) && x.Given && (best == nil || len(x.words) > len(best.words)) {
			best = x
		}
	}
	if best == nil {
		best = fromTrace(f)
	}
	return best
}

// onlyInside leaves out what is not in the module. Places in tests are less
// suspicious: what a test compares is seldom what went wrong.
func (x *examiner) onlyInside(list []suspect) []suspect {
	list = slices.DeleteFunc(list, func(s suspect) bool { return !x.src.inside(s.at) })
	for i := range list {
		if x.src.test(list[i].at) {
			list[i].score *= inTest
		}
	}
	return list
}

// merged has each place once, with the suspicion that is highest. Of equal ones the
// first is kept.
func merged(list []suspect) []suspect {
	var out []suspect
	for _, s := range list {
		i := slices.IndexFunc(out, func(o suspect) bool { return o.at == s.at })
		switch {
		case i < 0:
			out = append(out, s)
		case s.score > out[i].score:
			out[i] = s
		}
	}
	slices.SortStableFunc(out, func(a, b suspect) int { return cmp.Compare(b.score, a.score) })
	return out
}
