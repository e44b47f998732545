package seeded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"mendel"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/trial"
	"mendel/internal/gotool"
)

// A proof is what was found out about a patch.
type proof struct {
	Broken  string          `json:"broken,omitempty"` // it does not apply
	Runs    int             `json:"runs"`             // noised
	Noised  string          `json:"noised,omitempty"` // how such a run failed
	Verdict explore.Verdict `json:"verdict,omitempty"`
	Checked string          `json:"checked"` // the verdict in words
	Inverse bool            `json:"inverse"` // the source is that of before, comments apart
}

// problem is what speaks against the patch; "": nothing.
func (p *proof) problem() string {
	switch {
	case p.Broken != "":
		return p.Broken
	case p.Noised != "":
		return p.Noised
	case p.Verdict == explore.Failed:
		return p.Checked
	}
	return ""
}

// repair repairs a variant of the library in a directory, and verifies the best patch.
func (e *evaluation) repair(ctx context.Context, v *variant, original string) (err error) {
	faulty, remove, err := e.faulty(ctx, v, original)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	dir := filepath.Dir(faulty)
	work := filepath.Join(dir, "work")
	if err := programs.Copy(work, faulty); err != nil {
		return err
	}
	effort := programs.Effort{Limit: e.o.Limit, Runs: e.o.Runs, Workers: e.o.Workers}
	run := v.Run
	if e.o.Noticing {
		run = v.noticing()
	}
	t, _, err := trial.Repair(ctx, trial.Target{
		Dir: work, Package: "./" + v.Package, Run: run, Out: filepath.Join(dir, "out"),
	}, e.o.Seed, trial.Arm{Name: trial.DefaultArm}, effort)
	if err != nil {
		return err
	}
	if t.Status == mendel.Fixed && len(t.Patches) > 0 {
		if v.Proof, err = e.verify(ctx, v, original, faulty, t.Patches[0]); err != nil {
			return err
		}
	}
	v.Trial = &t
	return nil
}

// noised is the effort of a verification's runs. They sleep most of their time, so that
// four go on side by side on each processor, as in a repair.
func (e *evaluation) noised() programs.Effort {
	return programs.Effort{Runs: e.o.Runs, Workers: 4 * cmp.Or(e.o.Workers, runtime.NumCPU())}
}

// delayed are the tests that fail under noise without a fault in the package. They are
// looked for once.
func (e *evaluation) delayed(ctx context.Context, v *variant, original string) ([]string, error) {
	p := e.report.of(v)
	if p.Delayed == nil {
		p.Delayed = []string{}
		if _, err := e.moreDelayed(ctx, v, original); err != nil {
			p.Delayed = nil
			return nil, err
		}
	}
	return p.Delayed, nil
}

// moreDelayed runs the package without a fault once more, with seeds of its own, and
// reports whether tests fail that did not before.
func (e *evaluation) moreDelayed(ctx context.Context, v *variant, original string) (more bool, err error) {
	p := e.report.of(v)
	e.asked++
	tests, err := programs.DelayedTests(ctx, programs.Patched{
		Dir: filepath.Join(original, filepath.FromSlash(v.Package)), Run: v.Run, Seed: e.o.Seed + e.asked,
		Effort: e.noised(),
	})
	before := len(p.Delayed)
	p.Delayed = append(p.Delayed, tests...)
	slices.Sort(p.Delayed)
	p.Delayed = slices.Compact(p.Delayed)
	return len(p.Delayed) > before, err
}

// noisedRuns runs a patched variant with noise. A failure makes it run the package without
// a fault again: a test that may fail there by an assertion says nothing of the patch.
func (e *evaluation) noisedRuns(ctx context.Context, v *variant, original, mended string) (done int, problem string, err error) {
	delayed, err := e.delayed(ctx, v, original)
	if err != nil {
		return 0, "", err
	}
	for {
		done, problem, err = programs.NoisedRuns(ctx, programs.Patched{
			Dir: filepath.Join(mended, filepath.FromSlash(v.Package)), Run: v.Run, Seed: e.o.Seed, Delayed: delayed, Effort: e.noised(),
		})
		if err != nil || problem == "" {
			return done, problem, err
		}
		more, err := e.moreDelayed(ctx, v, original)
		if err != nil || !more {
			return done, problem, err
		}
		delayed = e.report.of(v).Delayed
	}
}

// verify judges a patch of a variant.
func (e *evaluation) verify(ctx context.Context, v *variant, original, faulty, patch string) (*proof, error) {
	p, mended := &proof{}, faulty+"-mended"
	var err error
	if p.Broken, err = programs.PatchedCopy(ctx, mended, faulty, patch); err != nil || p.Broken != "" {
		return p, err
	}
	if p.Inverse, err = sameTokens(filepath.Join(original, filepath.FromSlash(v.File)), filepath.Join(mended, filepath.FromSlash(v.File))); err != nil {
		return p, err
	}
	p.Runs, p.Noised, err = e.noisedRuns(ctx, v, original, mended)
	if err != nil || p.Noised != "" {
		return p, err
	}
	i, err := programs.Instrument(ctx, mended, "./"+v.Package, e.o.Workers)
	if refused := (*gotool.BuildError)(nil); errors.As(err, &refused) {
		p.Checked = "not checked: " + refused.Error()
		return p, nil
	}
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, i.Close()) }()
	r, err := i.Check(ctx, checker.Search{Tests: v.wanted(i.Tests()), Budget: e.o.Check, Seed: e.o.Seed + 1, Patience: -1})
	if err != nil {
		return p, err
	}
	p.Verdict, p.Checked = r.Verdict, r.String()
	return p, err
}

// sameTokens reports whether two files differ in comments and layout alone.
func sameTokens(a, b string) (bool, error) {
	var of [2][]string
	for i, name := range []string{a, b} {
		text, err := os.ReadFile(name)
		if err != nil {
			return false, fmt.Errorf("compare with the source before: %w", err)
		}
		of[i] = tokens(text)
	}
	return slices.Equal(of[0], of[1]), nil
}

// tokens are those of a source, without comments.
func tokens(text []byte) (all []string) {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(text)), text, nil, 0)
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return all
		}
		if tok == token.SEMICOLON {
			lit = ";" // written or not
		}
		all = append(all, tok.String()+" "+lit)
	}
}
