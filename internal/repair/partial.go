package repair

import (
	"context"
	"errors"
	"slices"
	"time"

	"mendel/checker"
	"mendel/evolve"
	"mendel/fitness"
	"mendel/internal/dossier"
	"mendel/internal/repair/original"
	"mendel/internal/report"
	"mendel/internal/result"
	"mendel/mutate"
)

const (
	// shownPartial is how many mutants that are no fix are told of.
	shownPartial = 3
	// shownRemains is how many failures are told of each.
	shownRemains = 5
	// remainsTime bounds what the checker looks for in one of them. Guessed: what
	// it has seen before it sees again at once.
	remainsTime = 2 * time.Second
)

// A partialMutant does better than the original and is no fix.
type partialMutant struct {
	result.Partial
	trace *dossier.Trace // of a failure that remains; nil: none is known
}

// remains adds what still fails, once.
func (p *partialMutant) remains(what string) {
	if len(p.Remains) < shownRemains && !slices.Contains(p.Remains, what) {
		p.Remains = append(p.Remains, what)
	}
}

// newPartial is a mutant with what its runs and schedules have shown.
func (j *judges) newPartial(m *mutate.Mutant, r fitness.Result) partialMutant {
	p := partialMutant{Partial: result.Partial{
		Edits: m.Edits, Score: r.Score, Passes: r.Passes, Runs: r.Runs,
		Checked: r.Verdict != "", Remains: []string{},
		Diff: string(report.Patch(report.Changes(j.Program, m), "")),
	}}
	return p
}

// partial are the best mutants of a search that has found no fix, with what is
// still wrong with them, as far as ctx leaves time to look.
func (j *judges) partial(ctx context.Context, found *evolve.Result, rejected []rejection) []partialMutant {
	if found == nil {
		return nil
	}
	var best []evolve.Scored
	for _, s := range found.Best {
		if s.Result.Refused == "" && s.Result.Score > j.before.Score && len(s.Mutant.Edits) > 0 && len(best) < shownPartial {
			best = append(best, s)
		}
	}
	var all []partialMutant
	for _, s := range best {
		p := j.newPartial(s.Mutant, s.Result)
		for _, why := range rejected {
			if edits := why.Mutant.Edits; mutate.HasAll(edits, p.Edits) && mutate.HasAll(p.Edits, edits) {
				p.remains("rejected: " + why.Reason)
			}
		}
		for _, f := range s.Result.Samples {
			p.remains(f.Message)
		}
		all = append(all, p)
	}
	if err := j.examine(ctx, best, all); err != nil {
		j.Progress.Note("what remains in the best partial mutants is told without looking again: %v", plainly(err))
	}
	return all
}

// examine lets the checker look at the best partial mutants once more, for all
// that it finds in them and for a schedule that shows it.
func (j *judges) examine(ctx context.Context, best []evolve.Scored, all []partialMutant) error {
	if j.source == nil || len(best) == 0 {
		return nil
	}
	j.Progress.Phase("trace", "looking at what remains in the best mutants")
	var sets []map[string][]byte
	for _, s := range best {
		sets = append(sets, s.Mutant.Files)
	}
	built, err := j.base.Explorer.Checker.BuildAll(ctx, sets)
	if err != nil {
		return err
	}
	for i, b := range built {
		if b.Err != nil {
			continue // noise can run what the checker cannot
		}
		if ctx.Err() == nil {
			err = errors.Join(err, j.examineOne(ctx, b.Binary, best[i].Mutant, &all[i]))
		}
		err = errors.Join(err, b.Binary.Close())
	}
	return errors.Join(err, ctx.Err())
}

// examineOne looks for what fails in one of them.
func (j *judges) examineOne(ctx context.Context, b *checker.Binary, m *mutate.Mutant, p *partialMutant) error {
	found, err := j.base.Explorer.Explore(ctx, b, checker.Search{
		Budget: remainsTime, All: true, Explain: true, Seed: j.Seed,
		First: j.source.First(m), Schedules: partialSchedules,
	})
	if err != nil {
		return err
	}
	for _, f := range found.Failures {
		p.remains(f.Message)
		if p.trace == nil {
			p.trace = report.Lanes(original.Lanes(j.Setup, f.Schedule.Test, &f, m.Files))
		}
	}
	return nil
}

// partialSchedules is how many schedules of each test are tried for that, as
// many as score a mutant.
const partialSchedules = 1000
