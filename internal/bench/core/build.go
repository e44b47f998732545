package core

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"mendel/analysis"
	"mendel/checker"
	"mendel/internal/bench/programs"
	"mendel/internal/gotool"
	"mendel/internal/operators"
	"mendel/mutate"
)

// generationSize is how many mutants are built together: the population of a
// repair.
const generationSize = 30

// A buildTime is what it takes to rewrite and build mutants of a subject, in
// seconds, when nothing else is done.
type buildTime struct {
	Seed       uint64  `json:"seed"` // of the trials beside which it was measured
	Mendel     string  `json:"mendel"`
	Single     float64 `json:"single"`     // one mutant by itself
	Generation float64 `json:"generation"` // all of Mutants together
	Mutants    int     `json:"mutants"`    // built together
}

// timeBuilds measures how long mutants of the module in a directory take to
// build: one by itself, then a whole generation together. A build before fills
// the cache with what all of them share.
func timeBuilds(ctx context.Context, source string) (t buildTime, err error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	work := filepath.Join(dir, "work")
	if err := programs.Copy(work, source); err != nil {
		return t, err
	}
	tool, err := gotool.Open(ctx, work)
	if err != nil {
		return t, err
	}
	program, err := analysis.Load(ctx, tool, analysis.Target{Dir: tool.Dir, Package: "."})
	if err != nil {
		return t, err
	}
	// One to fill the cache, one that is built by itself, and a generation.
	mutants, err := likeliest(ctx, program, 2+generationSize)
	if err != nil {
		return t, err
	}
	if len(mutants) < 3 {
		return t, fmt.Errorf("the operators find %d mutants: too few to compare", len(mutants))
	}
	c, err := checker.New(ctx, checker.Config{Tool: tool, Program: program})
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if _, err = buildSeconds(ctx, c, mutants[:1]); err != nil {
		return t, err
	}
	if t.Single, err = buildSeconds(ctx, c, mutants[1:2]); err != nil {
		return t, err
	}
	t.Mutants = len(mutants) - 2
	t.Generation, err = buildSeconds(ctx, c, mutants[2:])
	return t, err
}

// likeliest makes the first n mutants with one edit each, those first that a
// search would try first; fewer if there are no more.
func likeliest(ctx context.Context, p *analysis.Program, n int) ([]map[string][]byte, error) {
	narrowing, err := analysis.Narrow(ctx, p)
	if err != nil {
		return nil, err
	}
	space, err := mutate.NewSpace(p, narrowing, operators.All())
	if err != nil {
		return nil, err
	}
	var mutants []map[string][]byte
	seen := map[string]bool{}
	for _, e := range space.Edits() {
		m, err := space.Mutant(ctx, []mutate.Edit{e})
		if refused := (*mutate.Refusal)(nil); errors.As(err, &refused) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !seen[m.Hash] {
			seen[m.Hash] = true
			mutants = append(mutants, m.Files)
		}
		if len(mutants) == n {
			break
		}
	}
	return mutants, nil
}

// buildSeconds builds mutants, together if there are several, and measures how
// long that takes.
func buildSeconds(ctx context.Context, c *checker.Checker, mutants []map[string][]byte) (float64, error) {
	start := time.Now()
	var built []checker.Built
	if len(mutants) == 1 {
		b, err := c.Build(ctx, mutants[0])
		built = []checker.Built{{Binary: b, Err: err}}
	} else {
		var err error
		if built, err = c.BuildAll(ctx, mutants); err != nil {
			return 0, err
		}
	}
	seconds := time.Since(start).Seconds()
	var failed error
	for _, b := range built {
		if b.Err != nil {
			failed = errors.Join(failed, b.Err)
			continue
		}
		failed = errors.Join(failed, b.Binary.Close())
	}
	return seconds, failed
}
