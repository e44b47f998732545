package variants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/checker"
	"mendel/internal/gotool"
	"mendel/internal/result"
	"mendel/mutate"
)

// checkBudget ends a search of the checker whose schedules take too long; it is not compared.
const checkBudget = time.Minute

// compareChecks compares what the checker reports of mutants.
func (o Options) compareChecks(ctx context.Context, tool *gotool.Toolchain, p *analysis.Program, mutants []*mutate.Mutant, one *row) (err error) {
	c, err := checker.New(ctx, checker.Config{Tool: tool, Program: p, Workers: 1})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	built, err := c.BuildAll(ctx, sets(mutants))
	if err != nil {
		return err
	}
	one.Variants = c.Builds().Variants
	for i, b := range built {
		if err := o.compareCheck(ctx, c, p.Module, mutants[i], b, one); err != nil {
			return err
		}
		if b.Binary != nil {
			if err := b.Binary.Close(); err != nil {
				return err
			}
		}
	}
	return nil
}

// compareCheck compares one mutant built with others and alone.
func (o Options) compareCheck(ctx context.Context, c *checker.Checker, dir string, m *mutate.Mutant, together checker.Built, one *row) (err error) {
	alone, err := c.Build(ctx, m.Files)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || together.Err != nil {
		if said, want := fmt.Sprint(together.Err), fmt.Sprint(err); said != want {
			one.differ(m, "checker, build", want, said)
		}
		return nil
	}
	defer func() { err = errors.Join(err, alone.Close()) }()
	want, whole, err := o.reported(ctx, alone, dir)
	if err != nil || !whole {
		one.Unstable++
		return ctx.Err()
	}
	got, _, err := o.reported(ctx, together.Binary, dir)
	if err != nil {
		got = err.Error()
	}
	if got == want {
		one.Compared++
		return ctx.Err()
	}
	if again, _, err := o.reported(ctx, alone, dir); err != nil || again != want {
		one.Unstable++
		return ctx.Err()
	}
	one.Compared++
	one.differ(m, "checker", want, got)
	return ctx.Err()
}

// reported is all that the checker says of a binary: its report, files and replays of its
// failures, with names of files below a directory as seen from there. whole is false if the time was over before the
// schedules were made.
func (o Options) reported(ctx context.Context, b *checker.Binary, dir string) (text string, whole bool, err error) {
	r, err := b.Check(ctx, checker.Search{Schedules: o.Schedules, Budget: checkBudget, Seed: o.Seed, Steps: 2000, All: true, Explain: true, Sample: o.Schedules / 2})
	if err != nil {
		return "", false, err
	}
	whole = r.Seconds < checkBudget.Seconds()/2
	r.Seconds = 0
	said := []any{r, b.Uncontrolled()}
	for _, f := range r.Failures {
		file, err := b.File(f)
		if err != nil {
			return "", false, err
		}
		replayed, err := b.Replay(ctx, f.Schedule)
		if err != nil {
			return "", false, err
		}
		said = append(said, file.String(), replayed)
	}
	data, err := json.MarshalIndent(said, "", " ")
	if err != nil {
		return "", false, fmt.Errorf("compare reports: %w", err)
	}
	return strings.ReplaceAll(string(data), dir+string(filepath.Separator), ""), whole, nil
}

// describe names a mutant by its edits.
func describe(m *mutate.Mutant) string { return result.Describe(m.Edits) }
