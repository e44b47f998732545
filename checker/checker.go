package checker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mendel/analysis"
	"mendel/checker/instrument"
	"mendel/checker/instrument/effects"
	"mendel/internal/gotool"
	"mendel/internal/rewrite/schema"
)

// Config says what to check and how to build it.
type Config struct {
	Tool         *gotool.Toolchain
	Program      *analysis.Program
	Narrowing    *analysis.Narrowing // restricts the accesses that are watched; nil: syntax decides
	Flags        []string            // build flags; nil: those the program was loaded with
	Instrument   []string            // patterns of dependencies whose accesses are watched, with which the program was loaded; nil: all of these
	Workers      int                 // processes at a time; 0: runtime.NumCPU()
	BuildTimeout time.Duration       // 0: 5 minutes
	Builds       *gotool.BuildMeter  // measures its builds, besides those of others; nil: nobody asks
	Memory       int64               // of a process, in bytes; 0: gotool's default
	Disk         int64               // see gotool.RunOptions.Disk
	Library      *effects.Table      // what calls of the standard library do; nil: see effects.For
	Patience     time.Duration       // of searches that name none, see Search
	TrustTests   bool                // likewise
	// Incremental has programs note where executions come, and takes over what those of
	// one program came to for others that do not differ there; nor does a program make an
	// execution twice: see package incremental.
	// Verdicts are the same without it.
	Incremental bool
}

// A Checker instruments and explores a program and mutants of it. It is safe
// for concurrent use.
type Checker struct {
	c      Config
	slots  chan struct{} // a token for each running process
	start  time.Time     // of executions, by the virtual clock
	dir    string        // of binaries, requests and answers
	remove func() error

	names     atomic.Int64 // given to files so far
	schedules atomic.Int64
	builds    gotool.BuildMeter
	unshared  atomic.Int64 // batches in a row that had no executable for reasons unknown
	searches  atomic.Int64 // under way
	carried   atomic.Int64 // schedules taken over
	repeated  atomic.Int64 // schedules that others of the same program count for
	memory    *memory
	kept      schema.Latest[*keptSchema]
	first     keptOriginal
	alone     schema.Latest[*Binary] // built alone

	mu     sync.Mutex // guards what follows
	source *instrument.Instrumenter
	left   map[string]string // dependencies that it leaves alone, and why

	once   sync.Once
	closed error
}

// New instruments a program; Close removes the temporary directory. With a toolchain that is
// new to Mendel it first finds out what the calls of its library do, which takes seconds.
func New(ctx context.Context, c Config) (*Checker, error) {
	switch {
	case c.Tool == nil:
		return nil, errors.New("checker: no toolchain")
	case c.Program == nil || len(c.Program.Packages) == 0:
		return nil, errors.New("checker: no package to check")
	}
	if c.Workers <= 0 {
		c.Workers = runtime.NumCPU()
	}
	if c.Flags == nil {
		c.Flags = c.Program.Target.Flags
	}
	if c.Instrument == nil {
		c.Instrument = c.Program.Target.Instrument
	}
	if c.Library == nil {
		library, err := effects.For(ctx, c.Tool, c.Program.Library())
		if err != nil {
			return nil, fmt.Errorf("instrument %s: %w", c.Program.Packages[0].Path, err)
		}
		c.Library = library
	}
	source, err := c.instrument(nil)
	if err != nil {
		return nil, fmt.Errorf("instrument %s: %w", c.Program.Packages[0].Path, err)
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, fmt.Errorf("checker: %w", err)
	}
	return &Checker{
		c: c, slots: make(chan struct{}, c.Workers), start: time.Now().Truncate(time.Second), dir: dir, remove: remove,
		builds: gotool.BuildMeter{Sum: c.Builds}, source: source, left: map[string]string{}, memory: &memory{},
	}, nil
}

// instrument makes what rewrites the program and mutants of it, without some
// dependencies, for the reasons given.
func (c *Config) instrument(left map[string]string) (*instrument.Instrumenter, error) {
	return instrument.New(c.Program, c.Tool.GOROOT, Runtime, instrument.Options{
		Narrowing: c.Narrowing, Instrument: c.Instrument, ModFile: c.modFile(), Leave: maps.Clone(left), Library: c.Library, Points: c.Incremental,
	})
}

// modFile is the go.mod file of the build, or the go.work file; "" if flags name
// another.
func (c *Config) modFile() string {
	for _, flags := range append([]string{os.Getenv("GOFLAGS")}, c.Flags...) {
		if strings.Contains(flags, "-modfile") {
			return ""
		}
	}
	if c.Tool.Workspace != "" {
		return c.Tool.Workspace
	}
	return filepath.Join(c.Tool.ModuleDir, "go.mod")
}

// Close removes everything the checker wrote. It may be called twice.
func (c *Checker) Close() error {
	c.once.Do(func() { c.closed = c.remove() })
	return c.closed
}

// Counts reports how many programs were built and how many schedules made so far.
func (c *Checker) Counts() (builds, schedules int) {
	return c.builds.Builds().Programs, int(c.schedules.Load())
}

// Carried reports how many schedules were not made, because what they come to was known.
func (c *Checker) Carried() int { return int(c.carried.Load()) }

// Repeated reports how many schedules were not made, because others of the same program
// came to the same.
func (c *Checker) Repeated() int { return int(c.repeated.Load()) }

// acquire waits for the right to run a process; release gives it back.
func (c *Checker) acquire(ctx context.Context) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case c.slots <- struct{}{}:
		return func() { <-c.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// enter begins a search and returns how many processes it may run at a time:
// searches that run at the same time share the workers.
func (c *Checker) enter() (workers int, leave func()) {
	n := c.searches.Add(1)
	return max(1, c.c.Workers/int(n)), func() { c.searches.Add(-1) }
}

// Builds returns what the checker's builds have cost so far.
func (c *Checker) Builds() gotool.Builds { return c.builds.Builds() }
