package real

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mendel/internal/bench/commands"
	"mendel/internal/bench/repository"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/verify"
	"mendel/internal/gotool"
)

// manifestRuns is how often the test of a bug runs at most until it fails without
// the human fix, and how often it has to pass with it.
const manifestRuns = 21

// A Manifested says what the test of a bug does before and after the human fix.
type Manifested struct {
	Before  Runs   `json:"before"` // until it failed
	After   Runs   `json:"after"`
	Problem string `json:"problem,omitempty"`
}

// Line says it in a line.
func (m Manifested) Line() string {
	return fmt.Sprintf("fails in run %s before the human fix, in %s after it", m.Before, m.After) + tables.ProblemLines(m.problems())
}

func (m Manifested) problems() []string {
	if m.Problem == "" {
		return nil
	}
	return []string{m.Problem}
}

// checkManifest runs the test of a bug in a faulty tree, at most so many times, and
// so many times with the human fix.
func checkManifest(ctx context.Context, s repository.Source, tree string, runs int) (m Manifested, err error) {
	mended := tree + "-human"
	if err := repository.CopyTree(mended, tree); err != nil {
		return m, err
	}
	if err := s.Mend(ctx, mended); err != nil {
		return m, err
	}
	for _, dir := range []string{tree, mended} {
		p, problem, err := build(ctx, s.Bug, dir)
		if err != nil {
			return m, err
		}
		if problem != "" {
			m.Problem = problem
			return m, nil
		}
		if dir == tree {
			m.Before, err = p.runTest(ctx, runs, func(r Runs) bool { return r.Failed > 0 })
		} else {
			m.After, err = p.runTest(ctx, runs, nil)
		}
		if err != nil {
			return m, err
		}
	}
	switch {
	case m.Before.Failed == 0:
		m.Problem = "the test does not fail before the human fix"
	case m.After.Failed > 0:
		m.Problem = "the test fails with the human fix: " + m.After.Said
	}
	return m, nil
}

// A Verification is what was found out about a patch of a bug.
type Verification struct {
	Effort string `json:"effort"` // as of the report
	// Broken says why nothing further was tried: the patch does not apply, or the
	// package does not build.
	Broken string   `json:"broken,omitempty"`
	Test   Runs     `json:"test"`             // of the bug
	Others []string `json:"others,omitempty"` // other tests that passed before and fail now
	Ended  string   `json:"ended,omitempty"`  // why the other tests did not all end, which they did before
	Passed int      `json:"passed"`           // other tests that pass before and after
	Flaky  []string `json:"flaky,omitempty"`  // other tests that failed once with the patch, and by themselves no more, or without it too
	Vet    string   `json:"vet,omitempty"`    // new findings of go vet
}

// Problems lists what speaks against the patch.
func (v *Verification) Problems() []string {
	if v.Broken != "" {
		return []string{v.Broken}
	}
	var all []string
	if v.Test.Failed > 0 {
		all = append(all, fmt.Sprintf("the test fails in %s runs: %s", v.Test, v.Test.Said))
	}
	if v.Ended != "" {
		all = append(all, "the other tests do not end: "+v.Ended)
	}
	for _, name := range v.Others {
		all = append(all, name+" passed before and fails now")
	}
	if v.Vet != "" {
		all = append(all, "go vet: "+v.Vet)
	}
	return all
}

// Line says in a line what was found.
func (v *Verification) Line() string {
	if v.Broken != "" {
		return "PROBLEM: " + v.Broken
	}
	text := fmt.Sprintf("the test fails in %s runs, %d other tests pass", v.Test, v.Passed)
	if len(v.Flaky) > 0 {
		text += ", flaky: " + strings.Join(v.Flaky, " ")
	}
	return text + tables.ProblemLines(v.Problems())
}

// verifyPatch judges a patch on a copy of the faulty tree. The error is for what
// kept it from a verdict.
func verifyPatch(ctx context.Context, s repository.Source, tree, patch string, runs int) (v *Verification, err error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	v = &Verification{}
	patched, untouched := filepath.Join(dir, "patched"), filepath.Join(dir, "untouched")
	for _, to := range []string{patched, untouched} {
		if err := repository.CopyTree(to, tree); err != nil {
			return nil, err
		}
	}
	if v.Broken, err = repository.Apply(ctx, patched, patch); err != nil || v.Broken != "" {
		return v, err
	}
	if v.Broken, err = stillBuilds(ctx, patched, untouched); err != nil || v.Broken != "" {
		return v, err
	}
	after, problem, err := build(ctx, s.Bug, patched)
	if err != nil || problem != "" {
		v.Broken = problem
		return v, err
	}
	before, problem, err := build(ctx, s.Bug, untouched)
	if err != nil || problem != "" {
		return nil, errors.Join(err, errors.New(problem))
	}
	if v.Test, err = after.runTest(ctx, runs, nil); err != nil {
		return nil, err
	}
	if err := v.compareOthers(ctx, before, after); err != nil {
		return nil, err
	}
	v.Vet, err = vetBeyond(ctx, s.Bug, patched, untouched)
	return v, err
}

// stillBuilds says what keeps the module from building with the patch, unless
// that keeps it without, too.
func stillBuilds(ctx context.Context, patched, untouched string) (problem string, err error) {
	_, problem, err = commands.GoSays(ctx, patched, "build", "./...")
	if err != nil || problem == "" {
		return "", err
	}
	_, known, err := commands.GoSays(ctx, untouched, "build", "./...")
	if err != nil {
		return "", err
	}
	return verify.NewFindings(known, problem), nil
}

// vetBeyond is what go vet says of the package with the patch and not without.
func vetBeyond(ctx context.Context, b repository.Bug, patched, untouched string) (string, error) {
	_, after, err := commands.GoSays(ctx, patched, "vet", b.Pattern())
	if err != nil || after == "" {
		return "", err
	}
	_, before, err := commands.GoSays(ctx, untouched, "vet", b.Pattern())
	if err != nil {
		return "", err
	}
	return verify.NewFindings(before, after), nil
}

// compareOthers runs the other tests of the package without the patch and with
// it. What passes only without it is run by itself: a test counts against the
// patch if it fails with it, and never without.
func (v *Verification) compareOthers(ctx context.Context, before, after program) error {
	passing, endedBefore, err := before.otherTests(ctx)
	if err != nil {
		return err
	}
	still, ended, err := after.otherTests(ctx)
	if err != nil {
		return err
	}
	if ended != "" && endedBefore == "" {
		// A test that hangs or panics ends all others. Once may be chance.
		again, endedAgain, err := after.otherTests(ctx)
		if err != nil {
			return err
		}
		still, v.Ended = append(still, again...), endedAgain
	}
	for _, name := range passing {
		if slices.Contains(still, name) {
			v.Passed++
			continue
		}
		failsAfter, err := after.alone(ctx, name)
		if err != nil {
			return err
		}
		failsBefore := 0
		if failsAfter > 0 {
			if failsBefore, err = before.alone(ctx, name); err != nil {
				return err
			}
		}
		if failsAfter > 0 && failsBefore == 0 {
			v.Others = append(v.Others, name)
		} else {
			v.Flaky = append(v.Flaky, name)
		}
	}
	return nil
}
