package mendel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"mendel/checker"
	"mendel/evolve"
	"mendel/fitness"
	"mendel/internal/dossier"
	"mendel/internal/report"
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

// A Partial is a mutant that does better than the original and is no fix.
type Partial struct {
	Edits   []mutate.Edit `json:"edits"`
	Score   float64       `json:"score"`  // 0 to 1000
	Passes  int           `json:"passes"` // of Runs
	Runs    int           `json:"runs"`   // noised or, with Checked, sampled schedules
	Checked bool          `json:"checked,omitempty"`
	Diff    string        `json:"diff"`    // unified, relative to the module's directory
	Remains []string      `json:"remains"` // what still fails, or speaks against it; positions are those of the patched source

	trace *dossier.Trace // of a failure that remains; nil: none is known
}

// keepPartial keeps the best mutants of a search that has found no fix, with
// what is still wrong with them, as far as ctx leaves time to look.
func (r *repairer) keepPartial(ctx context.Context, found *evolve.Result, original float64) {
	if found == nil || len(r.result.Fixes) > 0 {
		return
	}
	var best []evolve.Scored
	for _, s := range found.Best {
		if s.Result.Refused == "" && s.Result.Score > original && len(s.Mutant.Edits) > 0 && len(best) < shownPartial {
			best = append(best, s)
		}
	}
	for _, s := range best {
		p := Partial{
			Edits: s.Mutant.Edits, Score: s.Result.Score, Passes: s.Result.Passes, Runs: s.Result.Runs,
			Checked: s.Result.Verdict != "", Remains: []string{},
			Diff: string(report.Patch(report.Changes(r.program, s.Mutant), "")),
		}
		for _, why := range r.result.Rejected {
			if mutate.HasAll(why.Edits, p.Edits) && mutate.HasAll(p.Edits, why.Edits) {
				p.remains("rejected: " + why.Reason)
			}
		}
		for _, f := range s.Result.Samples {
			p.remains(f.Message)
		}
		r.result.Partial = append(r.result.Partial, p)
	}
	if err := r.examinePartial(ctx, best); err != nil {
		r.note("what remains in the best partial mutants is told without looking again: %v", plainly(err))
	}
}

// remains adds what still fails, once.
func (p *Partial) remains(what string) {
	if len(p.Remains) < shownRemains && !slices.Contains(p.Remains, what) {
		p.Remains = append(p.Remains, what)
	}
}

// examinePartial lets the checker look at the best partial mutants once more,
// for all that it finds in them and for a schedule that shows it.
func (r *repairer) examinePartial(ctx context.Context, best []evolve.Scored) error {
	if r.source == nil || len(best) == 0 {
		return nil
	}
	r.phase("trace", "looking at what remains in the best mutants")
	var sets []map[string][]byte
	for _, s := range best {
		sets = append(sets, s.Mutant.Files)
	}
	built, err := r.explorer.checker.BuildAll(ctx, sets)
	if err != nil {
		return err
	}
	for i, b := range built {
		if b.Err != nil {
			continue // noise can run what the checker cannot
		}
		if ctx.Err() == nil {
			err = errors.Join(err, r.examine(ctx, b.Binary, best[i].Mutant, &r.result.Partial[i]))
		}
		err = errors.Join(err, b.Binary.Close())
	}
	return errors.Join(err, ctx.Err())
}

// examine looks for what fails in one of them.
func (r *repairer) examine(ctx context.Context, b *checker.Binary, m *mutate.Mutant, p *Partial) error {
	found, err := b.Check(ctx, checker.Search{
		Budget: remainsTime, All: true, Explain: true, Seed: r.o.Seed,
		First: r.source.First(m), Schedules: partialSchedules,
	})
	if err != nil {
		return err
	}
	for _, f := range found.Failures {
		p.remains(f.Message)
		if p.trace == nil {
			p.trace = report.Lanes(r.lanes(f.Schedule.Test, &f, m.Files))
		}
	}
	return nil
}

// partialSchedules is how many schedules of each test are tried for that, as
// many as score a mutant.
const partialSchedules = 1000

// words tell a partial mutant in one line.
func (p Partial) words() string {
	what := "runs"
	if p.Checked {
		what = "sampled schedules"
	}
	return fmt.Sprintf("%s: passes %d of %d %s", describe(p.Edits), p.Passes, p.Runs, what)
}

// printPartial writes what came closest to a fix.
func (res *Result) printPartial(w io.Writer) error {
	if len(res.Partial) == 0 {
		return nil
	}
	text := "\nWhat came closest:\n"
	for i, p := range res.Partial {
		text += report.Wrap(report.OneLine(p.words()), report.ProseWidth, fmt.Sprintf("  %d. ", i+1), "     ")
		for _, what := range p.Remains {
			text += report.Wrap("remains: "+report.OneLine(what), report.ProseWidth, "     ", "       ")
		}
		if p.Score >= fitness.FullScore && len(p.Remains) == 0 {
			text += "     its validation did not end\n"
		}
	}
	_, err := io.WriteString(w, text+"\n")
	return err
}
