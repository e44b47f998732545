package mendel

import (
	"path"
	"path/filepath"
	"runtime"
	"time"

	"mendel/internal/dossier"
	"mendel/internal/report"
	"mendel/validate"
)

// saveDossier writes what the reports show into the output directory, beside
// result.json.
func (r *repairer) saveDossier(began time.Time) error {
	if r.o.Out == "" {
		return nil
	}
	return dossier.Write(r.o.Out, r.dossier(began))
}

// dossier is the repair as the reports show it.
func (r *repairer) dossier(began time.Time) *dossier.Dossier {
	res := r.result
	d := &dossier.Dossier{
		Version: dossier.Version,
		Began:   began.UTC().Round(0), Seconds: res.Seconds, Budget: r.o.Budget.Seconds(), Seed: r.o.Seed,
		Dir: res.Target.Module, Package: res.Target.Package, Run: res.Target.Run,
		Status: string(res.Status), Reason: res.Reason, Notes: res.Notes,
		Failures: []dossier.FailureRecord{}, Fixes: []dossier.Fix{}, Phases: []dossier.Phase{},
		Search: r.searched(),
	}
	if run := r.journal.resumed(); run != nil {
		d.Resumed = run.Resumed
	}
	if r.tool != nil {
		d.Go = r.tool.Version + " " + runtime.GOOS + "/" + runtime.GOARCH
	}
	if r.program != nil {
		d.Module = r.program.ModulePath()
	}
	for _, f := range res.Failures {
		d.Failures = append(d.Failures, r.failed(f))
	}
	fixes := make([]*validate.Fix, len(res.Fixes))
	for i, f := range res.Fixes {
		fixes[i] = f.found
	}
	for i, f := range res.Fixes {
		fix := report.Fix(res.story(fixes, i))
		fix.Patch, fix.Generation = f.Patch, f.Generation
		fix.Replays = r.tracer.fixes[f.found.Mutant.Hash]
		d.Fixes = append(d.Fixes, fix)
	}
	d.PartialFixes = r.partialFixes()
	for _, why := range res.Rejected {
		d.Rejected = append(d.Rejected, dossier.Rejected{
			What: describe(why.Edits), Stage: string(why.Stage), Rule: string(why.Rule), Reason: why.Reason, At: why.at,
		})
	}
	for _, p := range res.Partial {
		d.Partial = append(d.Partial, dossier.Partial{
			What: describe(p.Edits), Score: p.Score, Passes: p.Passes, Runs: p.Runs,
			Diff: p.Diff, Remains: p.Remains, Trace: p.trace,
		})
	}
	for _, p := range res.Phases {
		d.Phases = append(d.Phases, dossier.Phase{Name: p.Name, Seconds: p.Seconds})
	}
	return d
}

// partialFixes are the fixes of single faults, from the dossiers of these. What
// they do under the schedules of their own failures is shown there.
func (r *repairer) partialFixes() []dossier.Fix {
	var all []dossier.Fix
	for _, f := range r.result.PartialFixes {
		own, err := dossier.Read(filepath.Join(r.o.Out, filepath.FromSlash(path.Dir(f.Patch))))
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
func (r *repairer) failed(f Failure) dossier.FailureRecord {
	out := dossier.FailureRecord{
		Kind: f.Kind, Message: f.Message, Signature: f.Signature, Test: f.Test,
		Seen: f.Seen, Runs: f.Runs, Schedule: f.Schedule, Places: []dossier.Place{},
		Trace: r.tracer.failures[f.Signature].trace,
	}
	if r.program != nil {
		out.Places = append(out.Places, report.Places(r.program, f.Failure)...)
	}
	return out
}

// searched is what was tried.
func (r *repairer) searched() dossier.Search {
	s := r.result.Search
	out := dossier.Search{
		Edits: r.result.Narrowed.Edits, Generations: s.Generations, Evaluations: s.Evaluations,
		Builds: s.Builds, Schedules: s.Schedules, Runs: s.Runs, Ended: s.Ended,
		History: []dossier.Generation{}, Operators: []dossier.OperatorCount{},
	}
	if h := r.history; h != nil {
		out.Original = h.original
		out.History = append(out.History, h.generations...)
		out.Operators = h.counts()
	}
	return out
}
