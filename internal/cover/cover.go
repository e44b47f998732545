package cover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/interleave"
	"mendel/interleave/instrument"
	"mendel/internal/gotool"
	"mendel/internal/result"
)

const (
	// DefaultBudget is the time for the runs unless Options say otherwise.
	DefaultBudget = time.Minute
	// DefaultProfile is how often a test is run without forcing anything, at most.
	DefaultProfile = 12
	// saturated is after how many runs that predict nothing new a test is profiled
	// enough: the paper's number.
	saturated = 3
	// attempts is how often an interleaving is tried with a test, and attemptsInAll with
	// all tests and in all runs of the command: the paper's numbers.
	attempts      = 2
	attemptsInAll = 6
)

// Options say what to cover and how long to try. Zero values are defaults.
type Options struct {
	Dir     string   // directory to work in, as go -C; "": the current one
	Package string   // import path or ./relative pattern of one package; "": "."
	Run     string   // -run pattern of the tests; "": all
	Tags    string   // build tags, comma-separated
	Flags   []string // further build flags for the go command

	Strategy string // of Strategies; "": Maple

	Profile int           // runs of a test without forcing, at most; 0: DefaultProfile
	Runs    int           // of a test, at most; 0: no bound
	Budget  time.Duration // for the runs, once the tests are built; 0: DefaultBudget
	Seed    uint64        // of the choices; 0: 1
	Workers int           // processes at a time; 0: runtime.NumCPU()
	First   bool          // end with the first failure
	Rest    bool          // with Maple, when nothing is left to force: go on with noise until the budget is spent
	Fresh   bool          // ignore what earlier runs with this Out have learnt

	Out      string          // directory for cover.json and the memory, made if missing; "": nothing is written
	Observer result.Observer // nil: nobody
}

func (o Options) withDefaults() Options {
	o.Package = cmp.Or(o.Package, ".")
	o.Strategy = cmp.Or(o.Strategy, Maple)
	o.Profile = cmp.Or(o.Profile, DefaultProfile)
	o.Budget = cmp.Or(o.Budget, DefaultBudget)
	o.Seed = cmp.Or(o.Seed, 1)
	o.Workers = cmp.Or(o.Workers, runtime.NumCPU())
	if o.Observer == nil {
		o.Observer = result.Silent{}
	}
	return o
}

// check refuses values that make no sense.
func (o Options) check() error {
	switch {
	case runtime.GOOS == "windows":
		return errors.New("cover needs memory that two processes share, which it has on Unix only")
	case !slices.Contains(Strategies, o.Strategy):
		return fmt.Errorf("unknown strategy %q: want one of %q", o.Strategy, Strategies)
	case o.Runs < 0:
		return fmt.Errorf("%d runs are negative", o.Runs)
	case o.Profile < 0:
		return fmt.Errorf("--profile %d is negative", o.Profile)
	case o.Workers < 0:
		return fmt.Errorf("--workers %d is negative", o.Workers)
	case o.Budget < 0:
		return errors.New("--budget must not be negative")
	}
	if _, err := regexp.Compile(o.Run); err != nil {
		return fmt.Errorf("--run %s: %w", o.Run, err)
	}
	return nil
}

// Run covers the tests of a package. The result is never nil; when ctx ends it
// holds what was found by then, and the error is ctx's. The budget's end is no
// error, and neither is a failing test: errors are for what could not be covered at
// all, as a package that does not build or has no tests.
func Run(ctx context.Context, o Options) (*Result, error) {
	began := time.Now()
	o = o.withDefaults()
	res := newResult(o)
	if err := o.check(); err != nil {
		res.Reason = err.Error()
		return res, err
	}
	if err := result.PrepareOut(o.Out); err != nil {
		return res, err
	}
	c := &covering{o: o, result: res}
	err := c.run(ctx)
	switch {
	case ctx.Err() != nil:
		err, res.Interrupted, res.Reason = ctx.Err(), true, "interrupted"
	case err != nil:
		res.Reason = err.Error()
	}
	c.conclude()
	err = errors.Join(err, c.saveFailures(), c.forget())
	res.Seconds = time.Since(began).Seconds()
	return res, errors.Join(err, res.save(o.Out))
}

// A covering is one under way.
type covering struct {
	o        Options
	result   *Result
	tool     *gotool.Toolchain
	program  *analysis.Program
	narrow   *analysis.Narrowing
	hooked   *instrument.Result
	harness  *noise.Harness
	replaced map[string][]byte // files of the program
	binary   *noise.Binary
	dir      string // for logs
	logs     atomic.Int64
	end      time.Time
	tests    []*test
	memory   *memory
	leaks    bool                        // built with the runtime's leak profile
	wanted   func(evidence.Failure) bool // failures that are looked for; nil: all
	observe  func(*test, noise.Outcome)  // sees each outcome; nil: nobody
	focus    func(interleave.IRoot) bool // nil: all is forced that is predicted
	runs     int                         // whose outcome was looked at
	told     int                         // of these when the user was told last
}

// over reports whether there is nothing more to do: no time, or a failure that is enough.
func (c *covering) over() bool {
	return !time.Now().Before(c.end) || c.o.First && slices.ContainsFunc(c.result.Failures, c.isWanted)
}

// isWanted reports whether a failure is one that is looked for.
func (c *covering) isWanted(f Failure) bool { return c.wanted == nil || c.wanted(f.Failure) }

// run is the way from the target to what is known of its tests.
func (c *covering) run(ctx context.Context) error {
	return c.prepared(ctx, func() error {
		c.end = time.Now().Add(c.o.Budget)
		if err := c.search(ctx); err != nil {
			return err
		}
		return c.confirm(ctx)
	})
}

// search runs the tests as the strategy has it.
func (c *covering) search(ctx context.Context) error {
	if c.o.Strategy != Maple {
		return c.baseline(ctx)
	}
	return c.maple(ctx)
}

// prepared loads and builds the tests, and calls a function while they can be run.
func (c *covering) prepared(ctx context.Context, use func() error) error {
	if err := c.load(ctx); err != nil {
		return err
	}
	config := noise.Config{Tool: c.tool, Program: c.program, Workers: c.o.Workers, LeakProfile: c.leaks}
	if c.o.Strategy == Noise {
		config.Narrowing = c.narrow
	}
	harness, err := noise.New(config)
	if err != nil {
		return err
	}
	defer harness.Close()
	c.harness = harness
	c.o.Observer.Phase("building the instrumented tests")
	if err := c.build(ctx); err != nil {
		return err
	}
	defer c.binary.Close()
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return fmt.Errorf("make a directory for the logs: %w", err)
	}
	defer remove()
	c.dir = dir
	if len(c.tests) == 0 {
		return fmt.Errorf("no test of %s matches --run %s", c.result.Target.Package, c.o.Run)
	}
	return use()
}

// maple profiles the tests, and forces what that predicts.
func (c *covering) maple(ctx context.Context) error {
	for i, t := range c.tests {
		c.o.Observer.Phase("running %s (%d of %d)", t.Name, i+1, len(c.tests))
		if _, err := c.profile(ctx, t); err != nil {
			return err
		}
	}
	if err := c.regress(ctx); err != nil {
		return err
	}
	return c.explore(ctx)
}

// explore forces what is predicted. When nothing is left, runs with noise show
// whether there is more.
func (c *covering) explore(ctx context.Context) error {
	for !c.over() {
		list := c.candidates()
		if len(list) > 0 {
			if err := c.force(ctx, list); err != nil {
				return err
			}
			continue
		}
		more, err := c.saturate(ctx)
		if err != nil {
			return err
		}
		if !more {
			c.result.Saturated = !slices.ContainsFunc(c.tests, func(t *test) bool { return t.quiet < saturated })
			if !c.o.Rest || !c.concurrent() {
				return nil
			}
			if more, err = c.repeat(ctx); !more || err != nil {
				return err
			}
			c.result.Saturated = false
		}
	}
	return nil
}

// concurrent reports whether some test does anything that is seen.
func (c *covering) concurrent() bool {
	return slices.ContainsFunc(c.tests, func(t *test) bool { return t.Events > 0 })
}

// load loads the program.
func (c *covering) load(ctx context.Context) error {
	c.o.Observer.Phase("loading %s", c.o.Package)
	var err error
	if c.tool, err = gotool.Open(ctx, c.o.Dir); err != nil {
		return err
	}
	c.program, err = analysis.Load(ctx, c.tool, analysis.Target{
		Dir: c.tool.Dir, Package: c.o.Package, Run: c.o.Run, Flags: result.BuildFlags(c.o.Tags, c.o.Flags),
	})
	if err != nil {
		return err
	}
	if err := c.program.CheckRun(); err != nil {
		return err
	}
	c.result.Target.Module, c.result.Target.Package = c.tool.ModuleDir, c.program.Packages[0].Path
	if c.narrow, err = analysis.Narrow(ctx, c.program); err != nil {
		return err
	}
	c.hooked = instrument.Program(c.tool.GOROOT, c.program, c.narrow)
	c.result.Sites = c.hooked.Sites
	c.tests = c.testsOf()
	return c.remember()
}

// build builds the tests with hooks. Files that do not compile with hooks are left
// without.
func (c *covering) build(ctx context.Context) error {
	if !c.recording() {
		return c.buildBare(ctx)
	}
	for {
		files := maps.Clone(c.hooked.Hooks)
		maps.Copy(files, c.replaced)
		maps.Copy(files, c.hooked.Files)
		var err error
		if c.binary, err = c.harness.Obtain(ctx, noise.Noised, files); err == nil {
			return nil
		}
		if errors.Is(err, gotool.ErrNoTests) {
			return fmt.Errorf("nothing to cover: %w", err)
		}
		refused := (*gotool.BuildError)(nil)
		if !errors.As(err, &refused) || !c.bare(refused.Diagnostics) {
			return fmt.Errorf("build the tests: %w", err)
		}
	}
}

// buildBare builds the tests for a baseline without hooks.
func (c *covering) buildBare(ctx context.Context) error {
	mode := noise.Plain
	if c.o.Strategy == Noise {
		mode = noise.Noised
	}
	var err error
	if c.binary, err = c.harness.Build(ctx, mode, nil); errors.Is(err, gotool.ErrNoTests) {
		return fmt.Errorf("nothing to cover: %w", err)
	} else if err != nil {
		return fmt.Errorf("build the tests: %w", err)
	}
	return nil
}

// bare leaves the files that diagnostics name without hooks. It returns false when
// there is none with hooks.
func (c *covering) bare(diagnostics []gotool.Diagnostic) bool {
	fewer := false
	for _, d := range diagnostics {
		if c.hooked.Files[d.File] == nil {
			continue
		}
		fewer = true
		delete(c.hooked.Files, d.File)
		if f := c.program.File(d.File); f != nil {
			c.result.Bare = append(c.result.Bare, f.Rel)
		}
	}
	return fewer
}
