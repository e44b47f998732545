package localize

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/locks"
	"mendel/internal/diagnosis"
	"mendel/internal/operators"
	"mendel/mutate"
)

// Diagnose finds out what is wrong where failures show it: for each of them what was found,
// the likeliest first.
func Diagnose(ctx context.Context, f Failures) ([][]diagnosis.Finding, error) {
	faults, places, err := Rank(ctx, f)
	if err != nil {
		return nil, err
	}
	model := modelOf(f.Program)
	found := make([][]diagnosis.Finding, len(f.All))
	for i := range f.All {
		one := f.All[i].Failure
		k := slices.IndexFunc(faults, func(f Fault) bool {
			return slices.ContainsFunc(f.Failures, func(o evidence.Failure) bool { return o.Test == one.Test && o.Signature == one.Signature })
		})
		seen := diagnosis.Seen{Kind: one.Kind, Failures: []evidence.Failure{one}}
		for _, p := range places {
			if k >= 0 && p.Fault == k {
				seen.Suspects = append(seen.Suspects, p.suspect(faults))
			}
		}
		found[i] = diagnosis.Of(model, f.Program, seen)
	}
	return found, nil
}

// diagnose finds out what is wrong where the result has faults.
func (l *localizing) diagnose(ctx context.Context) error {
	r := l.result
	var seen diagnosis.Seen
	for _, f := range r.Faults {
		seen.Failures = append(seen.Failures, f.Failures...)
	}
	if len(seen.Failures) == 0 {
		return nil
	}
	seen.Kind = seen.Failures[0].Kind
	for _, p := range r.Places {
		if p.Runs == 0 {
			seen.Suspects = append(seen.Suspects, p.suspect(r.Faults))
		}
	}
	r.Diagnoses = append(r.Diagnoses, diagnosis.Of(modelOf(l.program), l.program, seen)...)
	if !l.o.Declined || len(r.Diagnoses) == 0 {
		return nil
	}
	l.o.Phase("asking the operators that mend what was found")
	return l.declined(ctx, seen)
}

// declined asks the operators that mend what was found why they make no edit at its places.
// The edits are those that a repair would list.
func (l *localizing) declined(ctx context.Context, seen diagnosis.Seen) error {
	n, err := analysis.Narrow(ctx, l.program)
	if err != nil {
		return err
	}
	n.Merge(analysis.Dynamic, seen.Failures...)
	for _, s := range seen.Suspects {
		for _, p := range s.Places {
			n.Suspect(analysis.Suspect{File: p.File, Line: p.Line, Func: p.Func, Degree: s.Suspiciousness, Says: s.Says})
		}
	}
	n.Associate()
	space, err := mutate.NewSpace(l.program, n, operators.All(), mutate.Within(ctx))
	if err != nil {
		return fmt.Errorf("enumerate edits: %w", err)
	}
	diagnosis.Declined(space, l.result.Diagnoses)
	return nil
}

// modelOf is the model of the locks of a program, made when it is asked for.
func modelOf(p *analysis.Program) func() *locks.Model {
	return sync.OnceValue(func() *locks.Model { return locks.New(p) })
}

// suspect is a place as a diagnosis wants it.
func (p Place) suspect(faults []Fault) diagnosis.Suspect {
	of := faults[p.Fault]
	s := diagnosis.Suspect{
		Fault: of.Name, Suggests: p.Name, Variable: of.Variable, Suspiciousness: p.Suspiciousness, Says: p.Says, Compared: p.Compared(),
		Places: []diagnosis.Place{{File: p.File, Line: p.Line, Func: p.Function}},
	}
	if q := p.Partner; q != nil {
		s.Places = append(s.Places, diagnosis.Place{File: q.File, Line: q.Line, Func: q.Function})
	}
	return s
}
