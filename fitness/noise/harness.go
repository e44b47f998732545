package noise

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/internal/gotool"
	"mendel/internal/rewrite/schema"
)

// Config says what to run and how.
type Config struct {
	Tool         *gotool.Toolchain
	Program      *analysis.Program
	Narrowing    *analysis.Narrowing // whose variables, as they are now, are noised; nil: synchronisation only
	Workers      int                 // processes at a time; 0: runtime.NumCPU()
	NoRace       bool                // build without -race
	LeakProfile  bool                // build with the runtime's leak profile, an oracle for goroutines that nothing can reach
	BuildTimeout time.Duration       // 0: 5 minutes
	Builds       *gotool.BuildMeter  // measures its builds, besides those of others; nil: nobody asks
	For          string              // what its builds are for, where they are counted; "": noise
	// Rewrite makes of the program with some files replaced what gets hooks besides, and has what
	// that needs; nil files: it does not compile. It is for BuildAll only. nil: nothing is rewritten.
	Rewrite             func(files map[string][]byte) (rewritten map[string][]byte, needs gotool.Overlay)
	Timeout             time.Duration // of one run; 0: calibrated, see Calibrate
	Memory, OutputLimit int64         // of one run, in bytes; 0: gotool's defaults
	Disk                int64         // see gotool.RunOptions.Disk
}

// A Harness builds and runs noised programs. It is safe for concurrent use; a
// semaphore keeps at most Config.Workers processes running at a time.
type Harness struct {
	c       Config
	source  *source       // the program with hooks
	workers chan struct{} // a token for each running process
	dir     string        // for binaries
	remove  func() error
	built   atomic.Int64 // binaries so far
	builds  gotool.BuildMeter
	kept    schema.Latest[*keptSchema]
	// originals are the binaries of the program as it is, by mode.
	originals [modes]keptOriginal
	alone     schema.Latest[*keptAlone]
	ran       atomic.Int64 // processes so far
	timeout   atomic.Int64 // in nanoseconds; 0: not yet calibrated
	once      sync.Once
	closed    error
	// overlooked is what outcomes leave out; see Overlook.
	overlooked atomic.Pointer[[]string]
	apart      atomic.Pointer[[]evidence.Apart] // likewise; see KeepApart
	// profile is what builds with the leak profile need; see leakProfile.
	profile struct {
		sync.Mutex
		known bool
		env   []string
	}
}

// New prepares a harness; Close removes its temporary directory.
func New(c Config) (*Harness, error) {
	switch {
	case c.Tool == nil:
		return nil, errors.New("noise: no toolchain")
	case c.Program == nil || len(c.Program.Packages) == 0:
		return nil, errors.New("noise: no package to run")
	}
	if c.Workers <= 0 {
		c.Workers = runtime.NumCPU()
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, fmt.Errorf("noise: %w", err)
	}
	h := &Harness{
		c:       c,
		builds:  gotool.BuildMeter{Sum: c.Builds},
		source:  newSource(c),
		workers: make(chan struct{}, c.Workers),
		dir:     dir,
		remove:  remove,
	}
	h.timeout.Store(int64(max(c.Timeout, 0)))
	return h, nil
}

// Counts reports how many binaries were built and how many processes run so far.
func (h *Harness) Counts() (builds, runs int) {
	return int(h.built.Load()), int(h.ran.Load())
}

// Builds is what building has cost so far.
func (h *Harness) Builds() gotool.Builds { return h.builds.Builds() }

// Close removes everything the harness wrote. It may be called twice.
func (h *Harness) Close() error {
	h.once.Do(func() { h.closed = h.remove() })
	return h.closed
}

// acquire waits for the right to run a process; release gives it back.
func (h *Harness) acquire(ctx context.Context) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case h.workers <- struct{}{}:
		return func() { <-h.workers }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
