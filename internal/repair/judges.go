package repair

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/journal"
	"mendel/internal/repair/original"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
	"mendel/internal/scenario"
	"mendel/mutate"
	"mendel/validate"
)

// confirmFactor is CORE's safety factor (Kelk 2015, section 4.2.6): a fix is
// confirmed by so many times the runs that score a mutant, where fewer leave a doubt.
const confirmFactor = 10

// judges are who scores mutants and validates candidates, with all that they
// and the search work on.
type judges struct {
	*environment
	*scope
	base      *original.Baseline
	before    fitness.Result // of the original
	evaluator *fitness.Evaluator
	validator *validate.Validator
	source    *fitness.CheckerSource // nil: the checker does not score
	trier     *scenario.Trier        // tries fixes with tests made by machine; nil: the checker takes no part
	moments   sync.Map               // by hash of a mutant: seconds of work at which it was validated
}

// moment is when a mutant was validated, in seconds of work.
func (j *judges) moment(m *mutate.Mutant) float64 {
	if at, ok := j.moments.Load(m.Hash); ok {
		return at.(float64)
	}
	return j.Progress.Meter.Seconds()
}

// close gives back what trying scenarios holds.
func (j *judges) close() {
	if j.trier != nil {
		_ = j.trier.Close() // nothing that was found depends on it
	}
}

// scenarioTime is how long scenarios made by machine are explored for each fix. Chosen: 60
// scenarios are explored in 2 s in the median of the programs with known patches.
const scenarioTime = 4 * time.Second

// judges makes the evaluator and the validator.
func (env *environment) judges(ctx context.Context, prints journal.Fingerprint, scope *scope, base *original.Baseline) (*judges, error) {
	j := &judges{environment: env, scope: scope, base: base, before: fitness.Summarise(base.Counted())}
	noised := j.before
	doubts := original.NewDoubts(base)
	scoring := fitness.Options{
		Harness: base.Harness, Runs: env.Count, Seed: env.Seed, Original: &noised,
		Observe: env.Progress.Meter.Evaluated, Veto: j.veto, Excuse: doubts.Mutant,
	}
	var failing []string
	if !strings.Contains(env.Program.Target.Run, "/") { // a pattern of tests would run all their subtests
		failing = base.Failing()
	}
	scoring.Failing = failing
	validating := validate.Options{
		Space: scope.space, Runner: validate.Harness(base.Harness), Tool: env.Tool, Program: env.Program,
		Narrowing: scope.narrowing, Before: j.before, Left: base.Standing, Runs: env.Confirm, MostRuns: confirmFactor * env.Count, Seed: env.Seed,
		Failing: failing, KnownFailing: env.known.failing, Excuse: doubts.Excuse,
		LeftOut:     func() []string { return base.Harness.Skipped() },
		NoSerialize: env.NoSerialize, NoRace: env.NoRace, AtOnce: !env.NoChecker, Log: env.Progress.Step,
		Builds:    &env.Progress.Meter.Building,
		Validated: func(m *mutate.Mutant) { j.moments.Store(m.Hash, env.Progress.Meter.Seconds()) },
	}
	if env.NoNoise {
		scoring.Harness, validating.NoNoise = nil, true
		env.Progress.Note("no fix is confirmed by noised runs: the checker alone decides")
	}
	if len(base.Forced) > 0 {
		scoring.Before = []fitness.Source{forcedSource{base}}
		n, certain := confirmingRuns(base.Forced)
		validating.ForcedCertain = certain
		validating.Saturate = func(ctx context.Context, m *mutate.Mutant) (validate.Saturation, []noise.Outcome, error) {
			return saturate(ctx, base, m)
		}
		validating.Forced = func(ctx context.Context, m *mutate.Mutant) ([]noise.Outcome, error) {
			return underForced(ctx, base, m, n)
		}
		if base.Failed == 0 {
			j.before = fitness.Summarise(base.ForcedOutcomes())
		}
	}
	if base.Checked != nil {
		alone := base.Failed == 0 && len(base.Forced) == 0 || env.NoNoise
		checking := fitness.CheckerOptions{
			Checker: base.Explorer, Left: base.Standing, Seed: env.Seed, Original: base.Checked, Alone: alone,
			Log: func(format string, args ...any) { env.Progress.Step("checker: "+format, args...) },
		}
		if !env.Search.NoBatch {
			checking.BuildAll, validating.BuildAll = base.Explorer.BuildAll, base.Explorer.BuildAll
		}
		j.source = fitness.NewCheckerSource(checking)
		scoring.Before = append(scoring.Before, j.source)
		validating.Checker, validating.First, validating.CheckRequired = base.Explorer, j.source.First, alone
		validating.Original = base.Checked
		switch score, ok := j.source.Original(); {
		case !ok:
			scoring.NoiseFirst = base.Failed > 0
		case !alone && j.source.Slow() && fitness.Certain(&noised):
			scoring.NoiseFirst = true
		default:
			j.before = score
		}
	}
	if env.Journal != nil {
		judging, err := env.judging(prints, base)
		if err != nil {
			return nil, err
		}
		scoring.Memory, validating.Memory = env.Journal.Scores(judging), env.Journal.Validations()
	}
	if base.Checked != nil {
		j.trier = &scenario.Trier{Tool: env.Tool, Program: env.Program, Budget: scenarioTime}
		validating.Scenarios = j.trier
	}
	j.evaluator = fitness.NewEvaluator(scoring)
	j.validator = validate.New(validating)
	return j, ctx.Err()
}

// veto says why a mutant can be no fix, by its source; "" if it may be one.
func (j *judges) veto(_ context.Context, m *mutate.Mutant) (string, error) {
	rejected, err := j.validator.Veto(m)
	if rejected == nil || err != nil {
		return "", err
	}
	return "can be no fix: " + rejected.Reason, nil
}

// off says why the checker was switched off in the search; "" if it was not.
func (j *judges) off() string {
	if j == nil || j.source == nil {
		return ""
	}
	return j.source.Off()
}

// undecidable reports whether nothing is left to judge by: the checker does not
// see the failure, and noise is not to decide.
func (env *environment) undecidable(base *original.Baseline) bool {
	return env.NoNoise && !base.CheckerFailed()
}

// A candidate is a mutant with a full score.
type candidate struct {
	mutant *mutate.Mutant
	result fitness.Result
	edits  []mutate.Edit // of the fix that it may become, before it is reduced
	flags  []mutate.Flag // likewise
}

// A rejection is a candidate that is no fix, and why.
type rejection struct {
	*validate.Rejected
	at float64 // seconds since the search began
}

// A validatedFix is a fix, the generation of the search that it comes from, and
// when it was validated.
type validatedFix struct {
	*validate.Fix
	generation int
	at         float64 // seconds of work
}

// findings are what became of the candidates of a repair. They grow as
// candidates are validated, in the order of the search.
type findings struct {
	fixes    []validatedFix
	rejected []rejection
	history  *history // nil: there was no search
	stopped  string   // the latest candidate whose validation was stopped before it came to anything; "": none
}

// add takes down a fix, and reports whether that is news. One that was validated
// in part is replaced when it is validated again.
func (f *findings) add(fix validatedFix) bool {
	at := slices.IndexFunc(f.fixes, func(known validatedFix) bool { return known.Mutant.Hash == fix.Mutant.Hash })
	switch {
	case at < 0:
		f.fixes = append(f.fixes, fix)
	case len(f.fixes[at].Incomplete) > 0:
		f.fixes[at] = fix
	default:
		return false
	}
	return true
}

// ranked are the fixes, best first. Fixes that are equally good stay in the
// order in which they were found.
func (f *findings) ranked() []*validate.Fix {
	all := make([]*validate.Fix, len(f.fixes))
	for i, fix := range f.fixes {
		all[i] = fix.Fix
	}
	validate.Rank(all)
	return all
}

// reject takes down why a candidate is no fix.
func (f *findings) reject(p *setup.Progress, why *validate.Rejected) {
	p.Printf("rejected: %s: %s", result.Describe(why.Mutant.Edits), why.Reason)
	f.rejected = append(f.rejected, rejection{why, f.history.seconds()})
}

// improvable are the flags of a fix that a better one might not have: what fails for another reason does so with any fix.
func improvable(flags []mutate.Flag) []mutate.Flag {
	return slices.DeleteFunc(slices.Clone(flags), func(f mutate.Flag) bool { return f == mutate.StillFails })
}

// validate turns a candidate into a fix, or says why it is none; true when no
// better fix needs to be looked for.
func (j *judges) validate(ctx context.Context, f *findings, c candidate, generation int) (bool, error) {
	if f.covers(c.mutant.Edits, c.mutant.Flags) || f.covers(c.edits, c.flags) {
		return false, nil
	}
	j.Progress.Phase("validate", "validating %s", result.Describe(c.mutant.Edits))
	began := time.Now()
	clean := false // there is a fix without a flag
	fix, err := j.mendAtOnce(ctx, c)
	if fix == nil && err == nil {
		fix, err = j.validator.Validate(ctx, c.mutant, c.result)
	}
	if fix != nil && f.add(validatedFix{fix, generation, j.moment(fix.Mutant)}) {
		if len(fix.Incomplete) > 0 {
			j.Progress.Printf("fix, validation incomplete: %s: %s", result.Describe(fix.Mutant.Edits), strings.Join(fix.Incomplete, "; "))
		} else {
			f.history.fixed(c.mutant)
			j.Progress.Printf("fix: %s", result.Describe(fix.Mutant.Edits))
			var lerr error
			took := time.Since(began)
			if leavesPlaces(fix.Flags) {
				clean, lerr = j.mendElsewhere(ctx, f, fix, c, generation, took)
			}
			if !clean && lerr == nil {
				clean, lerr = j.offerLess(ctx, f, fix, c, generation, took)
			}
			if lerr != nil && err == nil {
				return clean || len(improvable(fix.Flags)) == 0, lerr
			}
		}
	}
	var rejected *validate.Rejected
	switch {
	case errors.As(err, &rejected):
		f.reject(j.Progress, rejected)
		if c.result.Verdict != "" && rejected.Stage == validate.StageConfirm {
			j.evaluator.NoiseRefuted()
		}
	case err != nil:
		if fix == nil && ctx.Err() != nil {
			f.stopped = result.Describe(c.mutant.Edits)
		}
		return false, err
	case !clean && len(improvable(fix.Flags)) == 0 && len(fix.Incomplete) > 0:
		j.Progress.Printf("the search ends: this fix has no flag, and no other would be confirmed better")
		return true, nil
	case clean || len(improvable(fix.Flags)) == 0:
		what := "it has no flag"
		if fix != nil && len(fix.Flags) > 0 && !clean {
			what = "any other fix would be flagged " + flagWords(fix.Flags) + ", too"
		}
		j.Progress.Printf("the search ends: this fix is validated, no smaller part of it is a fix, and %s", what)
		return true, nil
	default:
		j.Progress.Printf("a better one is looked for: this one is flagged %s", flagWords(fix.Flags))
	}
	j.Progress.Phase("search", "searching on")
	return false, nil
}

// An attempt is a mutant that the search has not come to by itself, and why it
// is no fix, if it is none.
type attempt struct {
	mutant *mutate.Mutant // nil: the edits give none
	result fitness.Result
	why    string
}

// attempt scores a mutant, and validates it if all passes.
func (j *judges) attempt(ctx context.Context, f *findings, edits []mutate.Edit) (a attempt, err error) {
	a.mutant, err = j.space.Mutant(ctx, edits)
	var refused *mutate.Refusal
	if errors.As(err, &refused) {
		return attempt{why: refused.Error()}, nil
	}
	if err != nil {
		return a, err
	}
	if a.result, err = j.evaluator.Evaluate(ctx, a.mutant); err != nil {
		return a, err
	}
	if a.result.Score < fitness.FullScore {
		a.why = failing(a.result)
		return a, nil
	}
	rejected := len(f.rejected)
	if _, err := j.validate(ctx, f, candidate{a.mutant, a.result, a.mutant.Edits, a.mutant.Flags}, 1); err != nil {
		return a, err
	}
	if n := len(f.rejected); n > rejected {
		a.why = f.rejected[n-1].Reason
	}
	return a, nil
}

// failing words what a mutant without a full score fails by.
func failing(r fitness.Result) string {
	switch {
	case len(r.Samples) > 0:
		return r.Samples[0].Message
	case r.Refused != "":
		return r.Refused
	}
	return "some runs fail"
}
