package repair

import (
	"path"
	"path/filepath"
	"runtime"

	"mendel/internal/dossier"
	"mendel/internal/repair/original"
	"mendel/internal/report"
	"mendel/internal/result"
)

// saveDossier writes what the reports show into the output directory, beside
// result.json.
func (s *session) saveDossier(r *result.Result, done *stages) error {
	if s.wanted.Out == "" {
		return nil
	}
	return dossier.Write(s.wanted.Out, s.dossier(r, done))
}

// dossier is the repair as the reports show it.
func (s *session) dossier(r *result.Result, done *stages) *dossier.Dossier {
	d := &dossier.Dossier{
		Version: dossier.Version,
		Began:   s.began.UTC().Round(0), Seconds: r.Seconds, Budget: s.wanted.Budget.Seconds(), Seed: s.wanted.Seed,
		Dir: r.Target.Module, Package: r.Target.Package, Run: r.Target.Run,
		Verified: r.Verified, Status: string(r.Status), Reason: r.Reason, Notes: r.Notes,
		Failures: []dossier.FailureRecord{}, Fixes: []dossier.Fix{}, Phases: []dossier.Phase{},
		Search: searched(r, done.outcome),
	}
	if past := s.journal.Resumed(); past != nil {
		d.Resumed = past.Resumed()
	}
	env := done.env
	if env.Tool != nil {
		d.Go = env.Tool.Version + " " + runtime.GOOS + "/" + runtime.GOARCH
	}
	if env.Program != nil {
		d.Module = env.Program.ModulePath()
	}
	for _, f := range r.Failures {
		d.Failures = append(d.Failures, failed(env, done.base, f))
	}
	if done.outcome != nil {
		d.Diagnoses = done.outcome.diagnoses
	}
	if done.base != nil {
		d.Suspects = done.base.Suspects
	}
	for i, f := range result.LiveOf(r).Fixes {
		fix := report.Fix(r.Story(i))
		fix.Patch, fix.Generation = r.Fixes[i].Patch, r.Fixes[i].Generation
		fix.Replays = done.outcome.traces[f.Mutant.Hash]
		d.Fixes = append(d.Fixes, fix)
	}
	d.PartialFixes = partialFixes(s.wanted.Out, r)
	for i, why := range r.Rejected {
		d.Rejected = append(d.Rejected, dossier.Rejected{
			What: result.Describe(why.Edits), Stage: string(why.Stage), Rule: string(why.Rule), Reason: why.Reason, At: done.outcome.rejected[i].at,
		})
	}
	for i, p := range r.Partial {
		d.Partial = append(d.Partial, dossier.Partial{
			What: result.Describe(p.Edits), Score: p.Score, Passes: p.Passes, Runs: p.Runs,
			Diff: p.Diff, Remains: p.Remains, Trace: done.outcome.partial[i].trace,
		})
	}
	for _, p := range r.Phases {
		d.Phases = append(d.Phases, dossier.Phase{Name: p.Name, Seconds: p.Seconds})
	}
	return d
}

// partialFixes are the fixes of single clusters, from the dossiers of these.
// What they do under the schedules of their own failures is shown there.
func partialFixes(out string, r *result.Result) []dossier.Fix {
	var all []dossier.Fix
	for _, f := range r.PartialFixes {
		own, err := dossier.Read(filepath.Join(out, filepath.FromSlash(path.Dir(f.Patch))))
		if err != nil || len(own.Fixes) == 0 {
			continue // its patch is there, and result.json names it
		}
		fix := own.Fixes[0]
		fix.Patch, fix.Mends, fix.Replays = f.Patch, f.Mends, nil
		all = append(all, fix)
	}
	return all
}

// failed is a failure with its trace.
func failed(env *environment, base *original.Baseline, f result.Failure) dossier.FailureRecord {
	out := dossier.FailureRecord{
		Kind: f.Kind, Message: f.Message, Signature: f.Signature, Test: f.Test,
		Seen: f.Seen, Runs: f.Runs, Schedule: f.Schedule, Forced: f.Forced, Places: []dossier.Place{},
		Trace: base.Traces[f.Signature].Trace,
	}
	if env.Program != nil {
		out.Places = append(out.Places, report.Places(env.Program, f.Failure)...)
	}
	return out
}

// searched is what was tried.
func searched(r *result.Result, found *outcome) dossier.Search {
	s := r.Search
	out := dossier.Search{
		Edits: r.Narrowed.Edits, Generations: s.Generations, Evaluations: s.Evaluations,
		Builds: s.Builds, Schedules: s.Schedules, Runs: s.Runs, Ended: s.Ended,
		History: []dossier.Generation{}, Operators: []dossier.OperatorCount{},
	}
	if found != nil && found.history != nil {
		out.Original = found.history.original
		out.History = append(out.History, found.history.generations...)
		out.Operators = found.history.counts()
	}
	return out
}
