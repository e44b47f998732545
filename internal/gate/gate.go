package gate

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel/internal/change"
	"mendel/internal/check"
	"mendel/internal/gotool"
	"mendel/internal/result"
)

// Options say what to check. Zero values are defaults.
type Options struct {
	// Check are the options for each package. Budget is for all of them, builds
	// included; Out is the directory for everything.
	Check    check.Options
	Patterns []string // of packages; none: "./..."
	Exclude  []string // patterns of packages that are left out, relative to the module ("./internal/...") or import paths
	Since    string   // revision: only what has changed since can have affected; "": all
	Shard    string   // "i/n"; "": all
	Baseline string   // file with known failures; "": none
	// WriteBaseline writes the failures that are seen to the baseline, in place of what it has.
	WriteBaseline bool
	Strict        bool // a package of which nothing can be said fails the gate
}

// leastShare of the budget is what it takes to begin with a package.
const leastShare = time.Second

// schedulesShare of a package's share is for its schedules: the rest is for loading and
// building. Guessed.
const schedulesShare = 0.7

// Run checks the packages. The summary is nil only if nothing could begin. When ctx ends
// it holds what was done until then, and the error is ctx's.
func Run(ctx context.Context, o Options) (*Summary, error) {
	r := &run{o: o, began: time.Now(), check: check.Run}
	if r.o.Check.Budget == 0 {
		r.o.Check.Budget = DefaultBudget
	}
	if r.o.Check.Observer == nil {
		r.o.Check.Observer = result.Silent{}
	}
	return r.all(ctx)
}

// DefaultBudget is the time for all packages unless Options say otherwise.
const DefaultBudget = 10 * time.Minute

// A run is a gate under way.
type run struct {
	o     Options
	check func(context.Context, check.Options) (*check.Result, error)

	began    time.Time
	summary  *Summary
	known    *Baseline
	packages []gotool.Package
}

func (r *run) all(ctx context.Context) (*Summary, error) {
	out := r.o.Check.Out
	if err := result.PrepareOut(out); err != nil {
		return nil, err
	}
	var err error
	if r.known, err = r.readBaseline(); err != nil {
		return nil, err
	}
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	r.o.Check.Observer.Printf("checking %d packages: budget %v", len(r.packages), r.o.Check.Budget)
	for i, p := range r.packages {
		if ctx.Err() != nil {
			break
		}
		r.one(ctx, i, p)
	}
	r.conclude()
	err = ctx.Err()
	if err == nil && r.o.WriteBaseline {
		err = r.summary.baseline(r.known).Write(r.o.Baseline)
	}
	return r.summary, errors.Join(err, r.summary.save(out))
}

// open finds the packages.
func (r *run) open(ctx context.Context) error {
	o := r.o.Check
	tool, err := gotool.Open(ctx, o.Dir)
	if err != nil {
		return err
	}
	patterns := r.o.Patterns
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	flags := result.BuildFlags(o.Tags, o.Flags)
	all, err := tool.Packages(ctx, flags, patterns...)
	if err != nil {
		return err
	}
	r.summary = &Summary{Patterns: patterns, Module: tool.ModuleDir, Since: r.o.Since, Shard: r.o.Shard, Budget: o.Budget.Seconds(), Packages: []Package{}}
	excluded, err := r.excluded(ctx, tool, flags)
	if err != nil {
		return err
	}
	var tested []gotool.Package
	for _, p := range all {
		switch {
		case slices.Contains(excluded, p.Path):
			r.summary.Excluded = append(r.summary.Excluded, p.Path)
		case !p.Tests && p.Problem == "":
			r.summary.Untested = append(r.summary.Untested, p.Path)
		default:
			tested = append(tested, p)
		}
	}
	if r.o.Since != "" {
		if tested, err = r.affected(ctx, tool, flags, patterns, tested); err != nil {
			return err
		}
	}
	slices.SortFunc(tested, func(a, b gotool.Package) int { return strings.Compare(a.Path, b.Path) })
	r.packages, err = shard(tested, r.o.Shard)
	return err
}

// excluded are the packages to leave out.
func (r *run) excluded(ctx context.Context, tool *gotool.Toolchain, flags []string) (paths []string, err error) {
	for _, pattern := range r.o.Exclude {
		if strings.HasPrefix(pattern, "./") {
			pattern = filepath.Join(tool.ModuleDir, filepath.FromSlash(pattern))
		}
		list, err := tool.Packages(ctx, flags, pattern)
		if err != nil {
			r.summary.Notes = append(r.summary.Notes, fmt.Sprintf("exclude %s: %v", pattern, err))
			continue
		}
		for _, p := range list {
			paths = append(paths, p.Path)
		}
	}
	return paths, nil
}

// affected are the packages that the change since the revision can have affected.
func (r *run) affected(ctx context.Context, tool *gotool.Toolchain, flags, patterns []string, tested []gotool.Package) ([]gotool.Package, error) {
	c, err := change.Since(ctx, tool.Dir, r.o.Since)
	if errors.Is(err, change.ErrNothing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	own, err := tool.Packages(ctx, flags, filepath.Join(tool.ModuleDir, "..."))
	if err != nil {
		return nil, err
	}
	changed, all := changedPackages(c, tool.ModuleDir, own)
	if all != "" {
		r.summary.Notes = append(r.summary.Notes, fmt.Sprintf("%s has changed since %s: all packages may be affected", all, r.o.Since))
		return tested, nil
	}
	deps, err := tool.TestDeps(ctx, flags, patterns...)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(tested, func(p gotool.Package) bool {
		hit := changed[p.Path] || slices.ContainsFunc(deps[p.Path], func(dep string) bool { return changed[dep] })
		if !hit {
			r.summary.Unaffected = append(r.summary.Unaffected, p.Path)
		}
		return !hit
	}), nil
}

// changedPackages are the import paths of the packages that changed files belong to. all
// names a file that may concern any package; "": there is none.
func changedPackages(c *change.Change, module string, own []gotool.Package) (changed map[string]bool, all string) {
	byDir := map[string]string{}
	for _, p := range own {
		byDir[p.Dir] = p.Path
	}
	changed = map[string]bool{}
	for _, f := range c.Files {
		name := filepath.Join(c.Root, filepath.FromSlash(f.Path))
		rel, err := filepath.Rel(module, name)
		if base := filepath.Base(name); base == "go.work" || err == nil && (rel == "go.mod" || rel == "go.sum" || rel == filepath.Join("vendor", "modules.txt")) {
			return nil, f.Path
		}
		if err != nil || !filepath.IsLocal(rel) {
			continue // of another module
		}
		for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
			if path := byDir[dir]; path != "" {
				changed[path] = true // what lies below it may be its testdata, or embedded
				break
			}
			if dir == module {
				break
			}
		}
		if strings.HasSuffix(name, ".go") && byDir[filepath.Dir(name)] == "" && f.After == nil {
			return nil, f.Path // a package that is gone
		}
	}
	return changed, ""
}

// shard is a part of the packages: "2/3" is the second, fifth, eighth and so on.
func shard(packages []gotool.Package, which string) ([]gotool.Package, error) {
	if which == "" {
		return packages, nil
	}
	var i, n int
	if _, err := fmt.Sscanf(which, "%d/%d", &i, &n); err != nil || i < 1 || i > n || which != fmt.Sprintf("%d/%d", i, n) {
		return nil, fmt.Errorf("--shard %s: want i/n with i from 1 to n", which)
	}
	var part []gotool.Package
	for k, p := range packages {
		if k%n == i-1 {
			part = append(part, p)
		}
	}
	return part, nil
}

// one checks a package.
func (r *run) one(ctx context.Context, i int, p gotool.Package) {
	told, tested := Package{Path: p.Path, Dir: p.Dir, Verdict: check.Error, Failures: []Failure{}}, true
	defer func() {
		if tested {
			r.summary.Packages = append(r.summary.Packages, told)
		} else {
			r.summary.Untested = append(r.summary.Untested, p.Path)
		}
	}()
	if p.Problem != "" {
		told.Reason = p.Problem
		return
	}
	left := time.Until(r.began.Add(r.o.Check.Budget))
	if left < leastShare {
		told.Verdict, told.Reason = Untried, "the budget was spent before"
		return
	}
	o := r.o.Check
	o.Dir, o.Package = p.Dir, "."
	o.Budget = max(time.Duration(schedulesShare*float64(left)/float64(len(r.packages)-i)), leastShare)
	o.All = o.All || r.known.concerns(p.Path)
	o.Observer = result.Named(o.Observer, path.Base(p.Path))
	if o.Out != "" {
		told.Out = fmt.Sprintf("%d-%s", i+1, path.Base(p.Path))
		o.Out = filepath.Join(o.Out, told.Out)
	}
	res, err := r.check(ctx, o)
	if tested = !errors.Is(err, gotool.ErrNoTests); !tested {
		o.Observer.Printf("it has test files and no tests")
		return
	}
	told.take(res, err, r.known)
	o.Observer.Printf("%s", told.line())
}
