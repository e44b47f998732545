package noise

import (
	"context"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/internal/gotool"
)

// Config says what to run and how.
type Config struct {
	Tool                *gotool.Toolchain
	Program             *analysis.Program
	Narrowing           *analysis.Narrowing // whose variables are noised; nil: synchronisation only
	Workers             int                 // processes at a time; 0: runtime.NumCPU()
	NoRace              bool                // build without -race
	LeakProfile         bool                // build with GOEXPERIMENT=goroutineleakprofile for an exact leak oracle
	BuildTimeout        time.Duration       // 0: 5 minutes
	Memory, OutputLimit int64               // of one run; 0: gotool's defaults
}

// A Harness builds and runs noised programs. It is safe for concurrent use; a
// semaphore keeps at most Config.Workers processes running at a time.
type Harness struct{}

// New prepares a harness; Close removes its temporary directory.
func New(c Config) (*Harness, error) { panic("contract") }

// Close removes everything the harness wrote.
func (h *Harness) Close() error { panic("contract") }

// Mode is how a program is built.
type Mode int

// Modes.
const (
	Noised Mode = iota // hooks and, unless Config.NoRace, -race; noise can still be switched off for a run
	Plain              // neither hooks nor -race: as a user would run it
)

// A Binary is a built test binary.
type Binary struct{}

// Close removes the binary.
func (b *Binary) Close() error { panic("contract") }

// Build instruments and builds the program with some files replaced (absolute
// name to source; nil: the original). What does not compile is a *gotool.BuildError.
func (h *Harness) Build(ctx context.Context, mode Mode, files map[string][]byte) (*Binary, error) {
	panic("contract")
}

// RunOptions says how to run a binary once.
type RunOptions struct {
	Seed    uint64        // of the noise
	Quiet   bool          // no noise in this run
	Procs   int           // GOMAXPROCS; 0: default
	Timeout time.Duration // 0: the calibrated one, or a minute
}

// An Outcome is what one run did.
type Outcome struct {
	Pass     bool
	Failures []evidence.Failure // empty when Pass; most telling first
	Seed     uint64
	Elapsed  time.Duration
	CPU      time.Duration
	Switches int64  // voluntary context switches
	Output   []byte // of a failed run, at most 64 KiB
	Tests    int    // top-level tests that ran
}

// Kind is the kind of the first failure, "" when the run passed.
func (o Outcome) Kind() evidence.Kind { panic("contract") }

// Run runs a binary once. The error is for what could not be run at all.
func (h *Harness) Run(ctx context.Context, b *Binary, o RunOptions) (Outcome, error) {
	panic("contract")
}

// RunMany runs a binary n times with seeds first, first+1, ... in parallel and
// returns the outcomes in the order of their seeds. When stop (if not nil)
// returns true for an outcome no further run is started, and what was already
// running is cancelled and left out.
func (h *Harness) RunMany(ctx context.Context, b *Binary, n int, o RunOptions, stop func(Outcome) bool) ([]Outcome, error) {
	panic("contract")
}

// Calibrate sets the time-out of later runs from outcomes of noised runs
// under load: their mean times 10 (CORE 2015, section on set-up), at least a
// second and at most a minute; runs that timed out do not count.
func (h *Harness) Calibrate(outcomes []Outcome) time.Duration { panic("contract") }
