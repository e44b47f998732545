package repair

import (
	"context"
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"mendel/analysis"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/seed"
	"mendel/validate"
)

// What no test runs nobody has judged. So what a fix adds is taken away again, one guard at a
// time, when the fix is found and written: a test, or a scenario, has to fail then.

const (
	// plantTime is how long that may take or, where all takes longer, the time that the repair
	// has taken. Guessed.
	plantTime = 30 * time.Second
	// plantCheck is how long the tests of a program with one guard less are explored.
	plantCheck = time.Second
	// leastPlantTime is not worth beginning with: a program has to be built.
	leastPlantTime = 2 * time.Second
)

// plant finds out which guards of the best fix the tests need, within what is left of the time;
// unfinished says that more time would have told more. deliver is called before it begins: nobody
// waits for it who waits for the fix.
func (j *judges) plant(ctx context.Context, out *outcome, deliver func() error) (unfinished bool, err error) {
	if len(out.fixes) == 0 || j.UntilCandidate {
		return false, nil
	}
	fix := out.ranked()[0]
	if len(fix.Incomplete) > 0 || len(validate.Workaround(fix.Flags)) > 0 {
		return false, nil
	}
	if err := deliver(); err != nil {
		return false, err
	}
	limit, short := max(plantTime, time.Duration(j.Progress.Meter.Seconds()*float64(time.Second))), false
	if deadline, limited := ctx.Deadline(); limited && time.Until(deadline) < limit {
		limit, short = time.Until(deadline), true
	}
	if limit < leastPlantTime {
		return true, nil
	}
	j.Progress.Phase("validate", "taking away what the fix adds, to see whether a test fails")
	planting, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	planted, err := j.planted(planting, fix)
	fix.Quality.Planted = planted
	if err != nil && ctx.Err() == nil && planting.Err() == nil {
		j.Progress.Note("whether the tests notice when a guard of the fix is taken away is not known: %v", err)
	}
	for _, words := range planted.Unnoticed {
		j.Progress.Printf("%s", words)
	}
	return short && (planted.Left > 0 || planting.Err() != nil), nil
}

// planted takes the guards of a fix away. What was found out until an error comes with it.
func (j *judges) planted(ctx context.Context, fix *validate.Fix) (all validate.Planted, err error) {
	target := j.Program.Target
	target.Overlay = fix.Mutant.Files
	patched, err := analysis.Load(ctx, j.Tool, target)
	if err != nil {
		return all, err
	}
	added := j.added(fix.Mutant.Files)
	guards, err := seed.Guards(patched, func(f *analysis.File, line int) bool { return added[f.Name][line] })
	if err != nil || len(guards) == 0 {
		return all, err
	}
	all.Left = len(guards)
	n := &noticing{judges: j, fix: fix}
	if err := n.begin(ctx, guards); err != nil {
		return all, err
	}
	defer n.close()
	for i, g := range guards {
		noticed, err := n.notices(ctx, i)
		if err != nil {
			return all, err
		}
		all.Tried, all.Left = all.Tried+1, all.Left-1
		j.Progress.Step("%s: noticed: %t", g.Words, noticed)
		if !noticed {
			all.Unnoticed = append(all.Unnoticed, unnoticed(g))
		}
	}
	return all, nil
}

// unnoticed words a guard that no test needs.
func unnoticed(g seed.Guard) string {
	if len(g.Beside) == 0 {
		return "no test notices if " + g.Words
	}
	others := strings.Join(g.Beside[:min(3, len(g.Beside))], ", ")
	if len(g.Beside) > 3 {
		others = fmt.Sprintf("%s and %d more", others, len(g.Beside)-3)
	}
	return fmt.Sprintf("no test runs %s beside %s: none fails if %s", g.Func, others, g.Words)
}

// added are the lines of patched files that are not in the original, by absolute names.
func (env *environment) added(files map[string][]byte) map[string]map[int]bool {
	all := map[string]map[int]bool{}
	for name, after := range files {
		before := ""
		if f := env.Program.File(name); f != nil {
			before = string(f.Source)
		}
		all[name] = addedLines(before, string(after))
	}
	return all
}

// addedLines are the lines of a text, from 1, that are not in an earlier one.
func addedLines(before, after string) map[int]bool {
	lines, shift := map[int]bool{}, 0
	for _, e := range udiff.Lines(before, after) {
		first := 1 + strings.Count(before[:e.Start], "\n") + shift
		n := strings.Count(e.New, "\n")
		if e.New != "" && !strings.HasSuffix(e.New, "\n") {
			n++
		}
		for i := range n {
			lines[first+i] = true
		}
		shift += strings.Count(e.New, "\n") - strings.Count(before[e.Start:e.End], "\n")
	}
	return lines
}

// A noticing asks tests about programs with one guard less than a fix.
type noticing struct {
	*judges
	fix   *validate.Fix
	sets  []map[string][]byte // files of the programs
	tests []string            // that the checker can follow, and that pass with the fix
	built []fitness.Program   // for the checker; nil: noise asks
}

// begin builds the programs.
func (n *noticing) begin(ctx context.Context, guards []seed.Guard) error {
	for _, g := range guards {
		files := maps.Clone(n.fix.Mutant.Files)
		maps.Copy(files, g.Files())
		n.sets = append(n.sets, files)
	}
	if n.base.Checked == nil {
		return nil
	}
	r, err := n.base.Explorer.Check(ctx, n.fix.Mutant.Files, checker.Search{Tests: n.topLevel(), Suite: true, All: true, Single: true, Budget: plantCheck, Seed: n.Settings.Seed})
	if err != nil {
		return err
	}
	for _, t := range r.Tests {
		if t.Verdict != explore.Failed && t.Verdict != explore.Inconclusive && !t.Skipped {
			n.tests = append(n.tests, t.Name)
		}
	}
	if len(n.tests) == 0 {
		return nil
	}
	programs, err := n.base.Explorer.BuildAll(ctx, n.sets)
	for _, p := range programs {
		n.built = append(n.built, p.Program)
	}
	return err
}

// topLevel are the tests of the package.
func (n *noticing) topLevel() (names []string) {
	for _, pkg := range n.Program.Packages {
		if strings.TrimSuffix(pkg.Path, "_test") != n.Program.Packages[0].Path {
			continue
		}
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if ok && f.Test && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") && fn.Name.Name != "TestMain" {
					names = append(names, fn.Name.Name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// close removes what was built.
func (n *noticing) close() {
	for _, b := range n.built {
		if b != nil {
			_ = b.Close() // what is left is removed at the end
		}
	}
}

// notices reports whether a test or a scenario fails with the program at an index.
func (n *noticing) notices(ctx context.Context, i int) (bool, error) {
	if n.built == nil {
		return n.underNoise(ctx, n.sets[i])
	}
	if n.built[i] == nil {
		return true, nil // it does not build: nobody writes it
	}
	r, err := n.built[i].Check(ctx, checker.Search{
		Tests: n.tests, First: n.source.First(n.fix.Mutant), Single: true, Budget: plantCheck, Seed: n.Settings.Seed,
	})
	if err != nil || r.Verdict == explore.Failed || n.trier == nil {
		return err == nil && r.Verdict == explore.Failed, err
	}
	tried, err := n.trier.TryLike(ctx, n.fix.Mutant.Files, n.sets[i])
	return len(tried.Objections) > 0, err
}

// underNoise asks runs under noise.
func (n *noticing) underNoise(ctx context.Context, files map[string][]byte) (bool, error) {
	b, err := n.base.Harness.Build(ctx, noise.Noised, files)
	if err != nil {
		return false, fmt.Errorf("build a program with one guard less: %w", err)
	}
	defer b.Close()
	outcomes, err := n.base.Harness.RunMany(ctx, b, n.Settings.Count, noise.RunOptions{Seed: n.Settings.Seed}, func(o noise.Outcome) bool { return !o.Pass })
	return slices.ContainsFunc(outcomes, func(o noise.Outcome) bool { return !o.Pass }), err
}
