package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"mendel"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// An effort is how much is spent on a repair and on checking it.
type effort struct {
	Limit   time.Duration // of one repair, from beginning to end
	Runs    int           // of each kind, to check a patched program
	Workers int           // builds and runs at a time; 0: the number of CPUs
	NoRace  bool          // without the race detector
	Leaks   bool          // check with the runtime's leak profile too
	// NoChecker repairs with noise alone.
	NoChecker bool
	// NoPlain leaves plain runs out of a check: they show nothing of a test
	// that ends before its goroutines do.
	NoPlain bool
}

// A Trial is one repair and what checking it showed.
type Trial struct {
	Seed         uint64        `json:"seed"`
	Status       mendel.Status `json:"status"`
	Reason       string        `json:"reason,omitempty"` // when there is no fix
	Seconds      float64       `json:"seconds"`
	Generation   int           `json:"generation,omitempty"` // in which the best fix was found
	Evaluations  int           `json:"evaluations"`          // mutants scored
	Fixes        int           `json:"fixes"`
	Operators    []string      `json:"operators,omitempty"` // of the best fix
	ChangedLines int           `json:"changedLines,omitempty"`
	Flags        []mutate.Flag `json:"flags,omitempty"` // of the best fix
	Diff         string        `json:"diff,omitempty"`
	PeakBytes    int64         `json:"peakBytes"`          // memory of the tool itself
	Problems     []string      `json:"problems,omitempty"` // what is wrong with the patches

	written []string // files in the output directory
}

// OK tells whether the trial gave a fix that withstood all checks.
func (t Trial) OK() bool {
	return t.Status == mendel.Fixed && len(t.Problems) == 0
}

// problem notes something that is not as it should be.
func (t *Trial) problem(format string, args ...any) {
	t.Problems = append(t.Problems, fmt.Sprintf(format, args...))
}

// try repairs a copy of the module in source, and checks the patches that come
// of it on further copies. The error is for what kept it from a verdict.
func try(ctx context.Context, source string, seed uint64, e effort) (t Trial, err error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, remove()) }()

	work, out := filepath.Join(dir, "work"), filepath.Join(dir, "out")
	if err := copyModule(work, source); err != nil {
		return t, err
	}
	resetPeakMemory()
	result, err := mendel.Repair(ctx, mendel.Options{
		Dir: work, Out: out, Budget: e.Limit - closing(e.Limit), Seed: seed, Workers: e.Workers, NoRace: e.NoRace, NoChecker: e.NoChecker,
	})
	t = summarise(seed, result)
	t.PeakBytes = peakMemory()
	if ctx.Err() != nil {
		return t, context.Cause(ctx)
	}
	if err != nil {
		t.problem("repair: %v", err)
	}
	if t.written, err = fileNames(out); err != nil {
		return t, err
	}
	if t.Seconds > e.Limit.Seconds() {
		t.problem("it took longer than the %v allowed", e.Limit)
	}
	for i, fix := range result.Fixes {
		problems, err := checkFix(ctx, check{
			source: source, patched: filepath.Join(dir, fmt.Sprintf("patched-%d", i+1)),
			patch: filepath.Join(out, fix.Patch), seed: seed, best: i == 0, effort: e,
		})
		for _, p := range problems {
			t.problem("%s: %s", fix.Patch, p)
		}
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// closing is the part of a limit that is kept back from the budget, so that a
// repair which spends all of that still ends within the limit.
func closing(limit time.Duration) time.Duration { return min(2*time.Second, limit/10) }

// summarise takes what the tables need from a result.
func summarise(seed uint64, r *mendel.Result) Trial {
	t := Trial{
		Seed: seed, Status: r.Status, Reason: r.Reason, Seconds: r.Seconds,
		Evaluations: r.Search.Evaluations, Fixes: len(r.Fixes),
	}
	if len(r.Fixes) == 0 {
		return t
	}
	best := r.Fixes[0]
	t.Generation, t.ChangedLines, t.Flags, t.Diff = best.Generation, best.ChangedLines, best.Flags, best.Diff
	for _, edit := range best.Edits {
		t.Operators = append(t.Operators, edit.Operator)
	}
	return t
}

// copyModule copies a module's directory, testdata left out.
func copyModule(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	if err := os.RemoveAll(filepath.Join(to, "testdata")); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	return nil
}

// fileNames lists a directory, sorted.
func fileNames(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list the output directory: %w", err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	return names, nil
}
