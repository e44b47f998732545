package core

import (
	"fmt"

	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
)

// armTable has a line for each arm, over all subjects. It is empty if only the
// default arm was tried. Means are of the subjects' means, so each subject counts alike.
func (r *report) armTable() *tables.Table {
	t := &tables.Table{Header: []string{"arm", "subjects fixed", "fixed", "seconds", "evaluations to the fix", "generation", "executables per mutant", "refuted patches"}}
	names := r.arms()
	if len(names) == 1 && names[0] == trial.DefaultArm {
		return t
	}
	for _, name := range names {
		var subjects, enough, trials, fixed, refuted int
		var secs, evals, gens []float64
		for _, s := range r.Subjects {
			all, ok := s.of(name), s.fixed(name)
			if len(all) == 0 {
				continue
			}
			subjects++
			trials, fixed = trials+len(all), fixed+len(ok)
			if s.enoughFixed(name) {
				enough++
			}
			secs = append(secs, tables.Mean(values(all, seconds)))
			if len(ok) > 0 {
				evals = append(evals, tables.Mean(values(ok, evaluations)))
				gens = append(gens, tables.Mean(values(ok, generation)))
			}
			refuted += s.refuted(name)
		}
		t.Add(name, fmt.Sprintf("%d of %d", enough, subjects), fmt.Sprintf("%d of %d", fixed, trials),
			tables.FormatMean(secs), tables.FormatMean(evals), tables.FormatMean(gens), perMutant(r.Subjects, name), refuted)
	}
	return t
}

// refuted counts the patches of an arm that verification speaks against.
func (s *subjectReport) refuted(arm string) int {
	n := 0
	for _, p := range s.patchesOf(arm, false) {
		if p.Verified != nil && len(p.Verified.Problems()) > 0 {
			n++
		}
	}
	return n
}

// A pairing compares an arm with the default one by pairs: the trials of both
// of one subject with one seed.
type pairing struct {
	pairs int
	// Of pairs that both gave a fix: the arm's figure divided by the default's.
	evaluationRatios, secondRatios []float64
	// A fix is better than none. If both gave one, fewer evaluations or seconds
	// are better.
	fixed, evaluations, seconds score
}

// A score counts the pairs in which the default arm is better and those in
// which the other is; in the rest neither is.
type score struct{ forDefault, forArm int }

// count takes the figures of the default's trial and the arm's: less is better.
func (s *score) count(byDefault, byArm float64) {
	if byDefault < byArm {
		s.forDefault++
	}
	if byDefault > byArm {
		s.forArm++
	}
}

// String is "12 : 3 (p = 0.035)", where p is the exact sign test's.
func (s score) String() string {
	return fmt.Sprintf("%d : %d (p = %.2g)", s.forDefault, s.forArm, tables.SignTest(s.forDefault, s.forArm))
}

// pair compares an arm with the default one.
func (r *report) pair(arm string) pairing {
	var p pairing
	for _, s := range r.Subjects {
		for _, b := range s.of(arm) {
			a := s.trial(trial.DefaultArm, b.Seed)
			if a == nil {
				continue
			}
			p.pairs++
			okA, okB := s.ok(*a), s.ok(b)
			if okA && okB {
				p.both(*a, b)
				continue
			}
			misses := func(ok bool) float64 {
				if ok {
					return 0
				}
				return 1
			}
			for _, tally := range []*score{&p.fixed, &p.evaluations, &p.seconds} {
				tally.count(misses(okA), misses(okB))
			}
		}
	}
	return p
}

// both takes a pair in which both gave a fix.
func (p *pairing) both(a, b armTrial) {
	p.evaluations.count(evaluations(a), evaluations(b))
	p.seconds.count(seconds(a), seconds(b))
	if evaluations(a) > 0 {
		p.evaluationRatios = append(p.evaluationRatios, evaluations(b)/evaluations(a))
	}
	if seconds(a) > 0 {
		p.secondRatios = append(p.secondRatios, seconds(b)/seconds(a))
	}
}

// pairTable is a line for each arm but the default one.
func (r *report) pairTable() *tables.Table {
	t := &tables.Table{Header: []string{"arm", "pairs", "fixed by one alone", "evaluations (median ratio)", "fewer", "seconds (median ratio)", "faster"}}
	for _, name := range r.arms() {
		if name == trial.DefaultArm {
			continue
		}
		if p := r.pair(name); p.pairs > 0 {
			t.Add(name, p.pairs, p.fixed, tables.FormatPositive("%.2f", tables.Median(p.evaluationRatios)), p.evaluations,
				tables.FormatPositive("%.2f", tables.Median(p.secondRatios)), p.seconds)
		}
	}
	return t
}

// armSubjectTable has a line for each subject and a column for each arm; it is
// empty if only the default one was tried.
func (r *report) armSubjectTable() *tables.Table {
	names := r.arms()
	t := &tables.Table{Header: append([]string{"subject"}, names...)}
	if len(names) == 1 && names[0] == trial.DefaultArm {
		return t
	}
	for _, s := range r.Subjects {
		t.Add(s.Subject.Name)
		for _, name := range names {
			all, ok := s.of(name), s.fixed(name)
			cell := "-"
			if len(all) > 0 {
				cell = fmt.Sprintf("%d of %d, %s, %s s", len(ok), len(all), tables.FormatMean(values(ok, evaluations)), tables.FormatMean(values(all, seconds)))
			}
			t.Extend(cell)
		}
	}
	return t
}
