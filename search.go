package mendel

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"mendel/evolve"
	"mendel/fitness"
	"mendel/mutate"
	"mendel/validate"
)

// A hunt is a search for fixes under way. The search calls its methods one
// after the other, never two at a time.
type hunt struct {
	*repairer
	generation int // the one under way
	scored     int // mutants, in the order of the search
	patience   int // generations ended since there is a fix
	// postponed are candidates with flags. They are validated at the end of
	// their generation, if no better fix has ended the search by then: a
	// validation costs as much as scoring ten mutants.
	postponed []candidate
	lessons   []lesson // of this generation
}

// A candidate is a mutant with a full score.
type candidate struct {
	mutant *mutate.Mutant
	result fitness.Result
}

// search evolves mutants until one is a fix without a flag, or the search has
// gone on for a generation after a flagged one.
func (r *repairer) search(ctx context.Context, base *baseline, before fitness.Result) error {
	r.seen = map[string]int{}
	r.history = newHistory(r.searchBegan(), before.Score)
	h := &hunt{repairer: r, generation: 1}
	o := r.o.evolving()
	o.Kind, o.Original = base.kind, &before
	o.Accept, o.Urgent = h.accept, h.urgent
	o.Observe, o.EndGeneration = h.observe, h.endGeneration
	found, err := evolve.Search(ctx, r.space, r.evaluator, o)
	if found != nil {
		r.result.Search.Generations = found.Generations
		r.result.Search.Ended = string(found.Ended)
		if found.Ended == evolve.Enough {
			r.result.Search.Ended = string(evolve.Stopped) // result.json does not tell them apart
		}
	}
	r.tell()
	showing, cancel := afterwards(ctx)
	defer cancel()
	r.trace(showing)
	r.keepPartial(showing, found, before.Score)
	if len(r.result.Fixes) > 0 {
		r.result.Status = Fixed
		if found.Ended == evolve.Exhausted {
			r.o.Observer.Printf("the search ends: %s", spaceExhausted(found))
		}
	} else {
		r.result.Reason = r.noFix(found) + r.inTests()
	}
	return err
}

// graceTime is how long what a search has found is looked at when its time is
// over or it was interrupted. Guessed: one fix or mutant takes a second.
const graceTime = 5 * time.Second

// afterwards is the context to look at what a search under ctx has found.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() == nil {
		return ctx, func() {}
	}
	return context.WithTimeout(context.WithoutCancel(ctx), graceTime)
}

// evolving are the options of the search.
func (o Options) evolving() evolve.Options {
	s := o.Search
	return evolve.Options{
		Population: o.Population, Generations: o.Generations, Workers: o.Workers, Seed: o.Seed,
		ReplaceEvery: s.ReplaceEvery, ReplaceFraction: s.ReplaceFraction, ReplaceBest: s.ReplaceBest,
		WeakTurns: s.WeakTurns, WeightWindow: s.WeightWindow, ConvergeWindow: s.ConvergeWindow,
		UniformOperators: s.Uniform, Random: s.Random, NoOpening: s.NoOpening,
		NoComposites: s.NoComposites, NoBatch: s.NoBatch,
	}
}

// urgentHeat is that of edits in the functions that failures name.
const urgentHeat = 0.5

// urgent tells of an edit whether it may be a better fix than the flagged ones
// that were found: it has no flag, and is where the failures are or concerns a
// variable that those do.
func (h *hunt) urgent(e mutate.Edit) bool {
	if len(e.Flags) > 0 || len(h.fixes) == 0 {
		return false
	}
	return e.Heat >= urgentHeat || slices.ContainsFunc(h.fixes, func(f *validate.Fix) bool {
		return slices.ContainsFunc(f.Mutant.Edits, func(o mutate.Edit) bool {
			return slices.ContainsFunc(o.Vars, func(v string) bool { return slices.Contains(e.Vars, v) })
		})
	})
}

// accept validates a candidate; true ends the search.
func (h *hunt) accept(ctx context.Context, m *mutate.Mutant, result fitness.Result) (bool, error) {
	if len(m.Flags) > 0 {
		h.postponed = append(h.postponed, candidate{m, result})
		return false, nil
	}
	if h.result.Search.Candidate == 0 {
		h.result.Search.Candidate = h.scored
	}
	if h.o.UntilCandidate {
		return true, nil
	}
	return h.validate(ctx, candidate{m, result})
}

// observe passes an event on.
func (h *hunt) observe(e evolve.Event) {
	h.o.Observer.Search(e)
	h.history.observe(e)
	h.correct(e)
	h.hear(e)
	h.scored = e.Evaluations
	h.lap()
}

// endGeneration learns from a generation and validates what it has postponed;
// true ends a search that has gone on long enough after a fix.
func (h *hunt) endGeneration(ctx context.Context, e evolve.Event) (bool, error) {
	h.learn()
	if h.o.UntilCandidate {
		h.postponed = nil
	}
	done, err := h.validatePostponed(ctx)
	h.generation = e.Generation + 1
	h.evaluator.EndGeneration()
	if len(h.fixes) > 0 {
		if h.patience++; h.patience > 1 {
			h.o.Observer.Printf("the search ends: a generation has brought no better fix than the flagged ones")
			done = true
		}
	}
	return done, err
}

// validatePostponed validates flagged candidates, the least flagged first,
// until one is a fix; true ends the search.
func (h *hunt) validatePostponed(ctx context.Context) (bool, error) {
	slices.SortStableFunc(h.postponed, func(a, b candidate) int {
		return cmp.Or(
			cmp.Compare(len(a.mutant.Flags), len(b.mutant.Flags)),
			cmp.Compare(len(a.mutant.Edits), len(b.mutant.Edits)),
		)
	})
	fixes := len(h.fixes)
	for len(h.postponed) > 0 && len(h.fixes) == fixes {
		next := h.postponed[0]
		h.postponed = h.postponed[1:]
		if done, err := h.validate(ctx, next); done || err != nil {
			return done, err
		}
	}
	return false, nil
}

// validate turns a candidate into a fix, or tells why it is none; true when no
// better fix needs to be looked for.
func (h *hunt) validate(ctx context.Context, c candidate) (bool, error) {
	if h.known(c.mutant) {
		return false, nil
	}
	h.phase("validate", "validating %s", describe(c.mutant.Edits))
	fix, err := h.validator.Validate(ctx, c.mutant, c.result)
	if fix != nil {
		h.keep(fix, c.mutant)
	}
	var rejected *validate.Rejected
	switch {
	case errors.As(err, &rejected):
		h.reject(rejected)
		if c.result.Verdict != "" && rejected.Stage == validate.StageConfirm {
			h.evaluator.NoiseRefuted()
		}
	case err != nil:
		return false, err
	case len(fix.Flags) == 0:
		h.o.Observer.Printf("the search ends: this fix is validated, nothing that is less of it stands, and no flag speaks against it")
		return true, nil
	default:
		h.o.Observer.Printf("a better one is looked for: this one is flagged %s", words(fix.Flags))
	}
	h.phase("search", "searching on")
	return false, nil
}

// reject records why a candidate is no fix.
func (h *hunt) reject(why *validate.Rejected) {
	h.o.Observer.Printf("rejected: %s: %s", describe(why.Mutant.Edits), why.Reason)
	r := Rejected{Edits: why.Mutant.Edits, Stage: why.Stage, Reason: why.Reason, at: h.history.seconds()}
	if b := why.Breach; b != nil {
		r.Rule, r.File, r.Line = b.Rule, b.File, b.Line
	}
	h.result.Rejected = append(h.result.Rejected, r)
}

// keep records a fix and the candidate that it comes from, unless it is known.
func (h *hunt) keep(fix *validate.Fix, from *mutate.Mutant) {
	if _, known := h.seen[fix.Mutant.Hash]; known {
		return
	}
	h.seen[fix.Mutant.Hash] = h.generation
	h.fixes = append(h.fixes, fix)
	h.history.fixed(from)
	h.o.Observer.Printf("fix: %s", describe(fix.Mutant.Edits))
}

// known tells whether a mutant only adds edits to a fix that is flagged no
// worse: it would be reduced to that fix again.
func (h *hunt) known(m *mutate.Mutant) bool {
	return slices.ContainsFunc(h.fixes, func(f *validate.Fix) bool {
		if !mutate.HasAll(m.Edits, f.Mutant.Edits) {
			return false
		}
		for _, flag := range f.Flags {
			if !slices.Contains(m.Flags, flag) {
				return false
			}
		}
		return true
	})
}
