package original

import (
	"context"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/internal/diagnosis"
	"mendel/internal/dossier"
	"mendel/internal/localize"
	"mendel/internal/repair/setup"
)

// ByChecker is where findings come from that the checker's failures name.
const ByChecker analysis.Source = "checker"

// shownSuspects are the places that a report shows at most.
const shownSuspects = 10

// MergeInto merges the failures of the original into a narrowing.
func (b *Baseline) MergeInto(n *analysis.Narrowing) {
	for _, f := range b.Failures {
		if f.Found != nil {
			n.Merge(ByChecker, f.Failure)
		}
		if f.runs == 0 && f.when == nil {
			continue
		}
		source := analysis.Dynamic
		if f.Kind.Hangs() {
			source = analysis.Dump
		}
		n.Merge(source, f.Failure)
	}
}

// RankedPlaces are the ranked places of the fault, as evidence. A race has places of its own,
// which say as much; a failing assertion or a panic names what noticed, and who is blocked
// what waits, not who has left it waiting.
func (b *Baseline) RankedPlaces() []analysis.Suspect {
	if b.Kind == evidence.Race {
		return nil
	}
	var all []analysis.Suspect
	add := func(p dossier.Place, degree float64, says string) {
		all = append(all, analysis.Suspect{File: p.File, Line: p.Line, Func: p.Func, Degree: degree, Says: says})
	}
	for _, s := range b.Suspects {
		add(s.Place, s.Suspiciousness, s.Says)
		if s.Partner != nil {
			add(*s.Partner, s.Suspiciousness*ofPartner, s.Says)
		}
	}
	return all
}

// Faults are the names of the faults that the ranked places belong to, and of those
// that the interleavings suggest which fail when they are forced. For a data
// race there are none: whatever it breaks, holding a lock there comes first, and wider
// edits where that is not enough.
func (b *Baseline) Faults() (names []evidence.Fault) {
	if b.Kind == evidence.Race {
		return nil
	}
	for _, s := range b.Suspects {
		if !slices.Contains(names, s.Fault) {
			names = append(names, s.Fault)
		}
	}
	for _, f := range b.Forced {
		names = append(names, f.File.Faults()...)
	}
	return names
}

// Symptoms are what is known of how the original fails.
func (b *Baseline) Symptoms() diagnosis.Seen {
	s := diagnosis.Seen{Kind: b.Kind}
	for _, f := range b.Failures {
		s.Failures = append(s.Failures, f.Failure)
	}
	for _, p := range b.Suspects {
		one := diagnosis.Suspect{
			Fault: p.Fault, Suggests: p.Suggests, Variable: p.Variable, Suspiciousness: p.Suspiciousness, Says: p.Says, Compared: p.Compared,
			Places: []diagnosis.Place{placeOf(p.Place)},
		}
		if p.Partner != nil {
			one.Places = append(one.Places, placeOf(*p.Partner))
		}
		s.Suspects = append(s.Suspects, one)
	}
	return s
}

func placeOf(p dossier.Place) diagnosis.Place {
	return diagnosis.Place{File: p.File, Line: p.Line, Func: p.Func}
}

// ofPartner is how suspicious the partner of a place is beside it. Guessed.
const ofPartner = 0.8

// localise ranks the places in the source that make the original fail, for the reports
// and as evidence for the search. Where they cannot be ranked, both do without.
func localise(ctx context.Context, s *setup.Setup, o *checkedOriginal, b *checker.Binary, failures []checker.Failure) {
	faults, places, err := localize.Rank(ctx, localize.Failures{Program: s.Program, Binary: b, All: failures, Seed: s.Seed})
	if err != nil {
		if ctx.Err() == nil {
			s.Progress.Note("the places of the fault cannot be ranked: %v", err)
		}
		return
	}
	o.Suspects = nil
	for _, p := range places[:min(len(places), shownSuspects)] {
		one := dossier.Suspect{
			Fault: faults[p.Fault].Name, Variable: faults[p.Fault].Variable, Suspiciousness: p.Suspiciousness, Says: p.Says, Compared: p.Compared(),
			Place: dossier.Place{What: p.Kind, Func: p.Function, File: p.File, Line: p.Line, Text: p.Statement},
		}
		if p.Name != one.Fault {
			one.Suggests = p.Name
		}
		if q := p.Partner; q != nil {
			one.Partner = &dossier.Place{What: q.Kind, Func: q.Function, File: q.File, Line: q.Line, Text: q.Statement}
		}
		o.Suspects = append(o.Suspects, one)
	}
}
