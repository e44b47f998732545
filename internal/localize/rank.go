package localize

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"

	"mendel/analysis/evidence"
	"mendel/checker"
)

// near is how many suspects of a failure tell which fault it belongs to.
const near = 3

// nearly is the part of the first one's suspicion that the others must have. Guessed.
const nearly = 0.8

// A group is the failures of one fault.
type group struct {
	failures []*checker.Failure
	suspects [][]suspect // of each
}

// grouped puts failures together whose first suspects are the same, or of
// one variable: what a race has spoilt fails in many ways.
func grouped(failures []checker.Failure, suspects [][]suspect) []*group {
	var groups []*group
	for i := range failures {
		own := &group{[]*checker.Failure{&failures[i]}, [][]suspect{suspects[i]}}
		rest := groups[:0:0]
		for _, g := range groups {
			if g.meets(suspects[i]) {
				own.failures = append(g.failures, own.failures...)
				own.suspects = append(g.suspects, own.suspects...)
			} else {
				rest = append(rest, g)
			}
		}
		groups = append(rest, own)
	}
	return groups
}

func (g *group) meets(list []suspect) bool {
	return slices.ContainsFunc(g.suspects, func(other []suspect) bool { return leads(list, other) || leads(other, list) })
}

// leads reports whether the first suspect of a failure is among the first of another
// one, or is about the same variable as the first there.
func leads(a, b []suspect) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	return a[0].field && b[0].field && a[0].variable == b[0].variable || slices.ContainsFunc(head(b), func(s suspect) bool { return s.at == a[0].at })
}

// head are the first suspects, as far as they are nearly as suspicious as the first.
func head(list []suspect) []suspect {
	n := 0
	for n < min(near, len(list)) && list[n].score >= nearly*list[0].score {
		n++
	}
	return list[:n]
}

// all are the places of a group, the suspicions of its failures put together: a
// place that several failures point to is more suspicious than each says.
func (g *group) all() []suspect {
	type sum struct {
		suspect
		best, clear float64
	}
	var list []*sum
	for i, suspects := range g.suspects {
		for _, s := range suspects {
			score := min(max(base(g.failures[i].Kind)*s.score, 0), 0.99)
			k := slices.IndexFunc(list, func(o *sum) bool { return o.at == s.at })
			if k < 0 {
				list = append(list, &sum{s, score, 1 - score})
				continue
			}
			// Failures of one fault are far from independent.
			list[k].clear *= 1 - score/furtherFailures
			if score > list[k].best {
				list[k].suspect, list[k].best = s, score
			}
		}
	}
	var out []suspect
	for _, s := range list {
		s.score = 1 - s.clear
		out = append(out, s.suspect)
	}
	slices.SortStableFunc(out, func(a, b suspect) int { return cmp.Compare(b.score, a.score) })
	return out
}

// rank makes faults and places of the failures.
func (x *examiner) rank(failures []checker.Failure, res *Result) {
	var suspects [][]suspect
	for i := range failures {
		suspects = append(suspects, x.suspects(&failures[i]))
	}
	groups := grouped(failures, suspects)
	slices.SortStableFunc(groups, func(a, b *group) int {
		return cmp.Compare(top(b.all()), top(a.all()))
	})
	for i, g := range groups {
		list := g.all()
		fault := Fault{Name: evidence.SomeFailure, Switches: math.MaxInt}
		if len(list) > 0 {
			fault.Name, fault.Variable = list[0].fault, list[0].variable
		}
		for _, f := range g.failures {
			fault.Failures = append(fault.Failures, f.Failure)
			fault.Switches = min(fault.Switches, f.Preemptions)
		}
		res.Faults = append(res.Faults, fault)
		for _, s := range list {
			res.Places = append(res.Places, x.place(s, i))
		}
	}
	res.rankAgain()
}

// rankAgain sorts the places, has each once and numbers them.
func (res *Result) rankAgain() {
	slices.SortStableFunc(res.Places, func(a, b Place) int { return cmp.Compare(b.Suspiciousness, a.Suspiciousness) })
	seen := map[site]bool{}
	res.Places = slices.DeleteFunc(res.Places, func(p Place) bool {
		at := site{p.absolute, p.Line}
		again := seen[at]
		seen[at] = true
		return again
	})
	for i := range res.Places {
		res.Places[i].Rank = i + 1
	}
}

func top(list []suspect) float64 {
	if len(list) == 0 {
		return 0
	}
	return list[0].score
}

// place describes a suspect.
func (x *examiner) place(s suspect, fault int) Place {
	p := Place{
		File: x.relative(s.at), Line: s.at.line, Function: x.src.function(s.at, ""), Statement: x.src.text(s.at), Kind: s.does,
		Suspiciousness: math.Round(s.score*1000) / 1000, Fault: fault, Says: s.says, Failing: s.failed, Passing: s.passing, Name: s.fault, absolute: s.at.file,
	}
	if s.partner.file != "" {
		p.Partner = &Partner{x.relative(s.partner), s.partner.line, x.src.function(s.partner, ""), x.src.text(s.partner), s.partnerDoes}
	}
	return p
}

func (x *examiner) relative(at site) string {
	if f := x.src.program.File(at.file); f != nil {
		return f.Rel
	}
	return filepath.Base(at.file)
}
