package repair

import (
	"context"

	"mendel/checker"
	"mendel/internal/dossier"
	"mendel/internal/localize"
)

// shownSuspects are the places that a report shows at most.
const shownSuspects = 10

// localise ranks the places in the source that make the original fail, for the
// reports. Nothing depends on it.
func (env *environment) localise(ctx context.Context, o *checkedOriginal, b *checker.Binary, failures []checker.Failure) {
	faults, places, err := localize.Rank(ctx, localize.Failures{Program: env.program, Binary: b, All: failures, Seed: env.seed})
	if err != nil {
		if ctx.Err() == nil {
			env.progress.note("the places of the fault cannot be ranked: %v", err)
		}
		return
	}
	o.suspects = nil
	for _, p := range places[:min(len(places), shownSuspects)] {
		s := dossier.Suspect{
			Fault: faults[p.Fault].Name, Variable: faults[p.Fault].Variable, Suspiciousness: p.Suspiciousness, Says: p.Says,
			Place: dossier.Place{What: p.Kind, Func: p.Function, File: p.File, Line: p.Line, Text: p.Statement},
		}
		if q := p.Partner; q != nil {
			s.Partner = &dossier.Place{What: q.Kind, Func: q.Function, File: q.File, Line: q.Line, Text: q.Statement}
		}
		o.suspects = append(o.suspects, s)
	}
}
