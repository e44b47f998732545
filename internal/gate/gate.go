package gate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"mendel/internal/change"
	"mendel/internal/check"
	"mendel/internal/gotool"
	"mendel/internal/overrun"
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
	Strict        bool // a test of which nothing can be said fails the gate
}

// leastShare of the budget is what it takes to begin with a package.
const leastShare = time.Second

// schedulesShare of a package's share is for its schedules, if building takes no more than
// the rest. Guessed.
const schedulesShare = 0.7

// mostLanes are the packages that are checked at a time, on a machine with as many processors:
// much of loading and linking keeps one busy. More would take memory, half a gigabyte each.
const mostLanes = 4

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

	mu       sync.Mutex
	lanes    int           // packages that are checked at a time
	waiting  int           // packages that nobody has begun with
	building time.Duration // of the packages that are built
	built    int
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
	within, cancel := context.WithDeadline(ctx, r.end()) // what each check gets ends by itself
	defer cancel()
	written := overrun.Watch(within)
	r.each(overrun.Without(ctx))
	r.conclude()
	written()
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
	if o.Scale > 1 {
		r.summary.Notes = append(r.summary.Notes, fmt.Sprintf("loops of tests are shorter (--scale %d): check.json of each package says which", o.Scale))
	}
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

// each checks the packages, several at a time. Those that ctx's end leaves are not in the summary.
func (r *run) each(ctx context.Context) {
	workers := cmp.Or(r.o.Check.Workers, runtime.NumCPU())
	r.lanes = max(1, min(workers, mostLanes, len(r.packages)))
	r.o.Check.Workers = (workers + r.lanes - 1) / r.lanes
	r.waiting = len(r.packages)
	told := make([]*Package, len(r.packages))
	turns := make(chan int)
	var lanes sync.WaitGroup
	for range r.lanes {
		lanes.Go(func() {
			for i := range turns {
				told[i] = r.one(ctx, i, r.packages[i])
			}
		})
	}
	for i := range r.packages {
		select {
		case turns <- i:
		case <-ctx.Done():
		}
	}
	close(turns)
	lanes.Wait()
	for i, p := range told {
		switch {
		case p == nil:
		case p.Verdict == untested:
			r.summary.Untested = append(r.summary.Untested, r.packages[i].Path)
		default:
			r.summary.Packages = append(r.summary.Packages, *p)
		}
	}
}

// untested is the verdict of a package that turns out to have no tests.
const untested check.Verdict = "untested"

// one checks a package.
func (r *run) one(ctx context.Context, i int, p gotool.Package) *Package {
	told := &Package{Path: p.Path, Dir: p.Dir, Verdict: check.Error, Failures: []Failure{}}
	share, ok := r.share()
	switch {
	case p.Problem != "":
		told.Reason = p.Problem
		return told
	case !ok:
		told.Verdict, told.Reason = Untried, "the budget was spent before"
		return told
	}
	o := r.o.Check
	o.Dir, o.Package, o.Budget = p.Dir, ".", share
	o.All = o.All || r.known.concerns(p.Path)
	o.FailFast = o.FailFast && !o.All
	o.Observer = result.Named(o.Observer, path.Base(p.Path))
	if o.Out != "" {
		told.Out = fmt.Sprintf("%d-%s", i+1, path.Base(p.Path))
		o.Out = filepath.Join(o.Out, told.Out)
	}
	within, cancel := context.WithDeadline(ctx, r.end())
	defer cancel()
	res, err := r.check(within, o)
	if errors.Is(err, gotool.ErrNoTests) {
		o.Observer.Printf("it has test files and no tests")
		told.Verdict = untested
		return told
	}
	r.note(res)
	told.take(res, err, r.known)
	if within.Err() != nil && ctx.Err() == nil {
		told.late()
	}
	o.Observer.Printf("%s", told.line())
	return told
}

// share is the time for the schedules of the next package: an equal share of what is left
// without what it is likely to take to build it; all of it, if no other waits. ok is false if
// nothing is left.
func (r *run) share() (_ time.Duration, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := time.Until(r.end())
	all := left * time.Duration(r.lanes) / time.Duration(r.waiting)
	r.waiting--
	share := time.Duration(schedulesShare * float64(all))
	switch {
	case r.waiting == 0:
		share = left // the check itself ends in time, however long it builds
	case r.built > 0:
		share = min(share, all-r.building/time.Duration(r.built))
	}
	return max(share, leastShare), left >= leastShare
}

// end is when the budget is spent.
func (r *run) end() time.Time { return r.began.Add(r.o.Check.Budget) }

// note notes how long it took to build a package.
func (r *run) note(res *check.Result) {
	if res.Building == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.building += time.Duration(res.Building * float64(time.Second))
	r.built++
}
