package validate

import (
	"slices"

	"mendel/analysis"
	"mendel/mutate"
)

// An Objection is what the sources alone say against a patch that somebody has made: a rule
// that it breaks, or the flags that it gets. Nothing is built or run for it.
type Objection struct {
	Breach *Breach       // nil: it breaks no rule that the sources decide
	Flags  []mutate.Flag // sorted
	Why    []string      // a sentence for each reason, with the place
}

// Refused says whether the patch is no fix: a rule speaks against it, or it is a workaround.
func (o Objection) Refused() bool { return o.Breach != nil || len(Workaround(o.Flags)) > 0 }

// Object compares the source of a patch, as [mutate.Given] makes it, with the program.
func Object(p *analysis.Program, m *mutate.Mutant) (Objection, error) {
	v := New(Options{Program: p})
	judged, err := v.judge(m)
	if err != nil {
		return Objection{}, err
	}
	o := Objection{Breach: judged.breach}
	if o.Breach != nil {
		o.Why = append(o.Why, o.Breach.String())
	}
	var q Quality
	o.Flags, err = v.addFindings(m, &q, o.Flags)
	slices.Sort(o.Flags)
	o.Why = slices.Concat(o.Why, q.Unguarded, q.Split, q.Locks)
	return o, err
}

// given reports whether somebody else has made a mutant.
func given(m *mutate.Mutant) bool {
	return len(m.Edits) > 0 && m.Edits[0].Operator == mutate.GivenOperator
}
