package gotool

import (
	"context"
	"time"
)

// A Toolchain is the user's go command as seen from one directory.
type Toolchain struct {
	Dir       string // absolute; every command runs here
	GOROOT    string
	Version   string // "go1.26.8"
	ModuleDir string // directory of go.mod
	RaceErr   error  // nil when -race builds work; else the reason, in words for the user
}

// Open asks the go command in dir about itself. It fails, with a way out, when
// there is no go command, it is older than Go 1.25, or dir is in no module.
func Open(ctx context.Context, dir string) (*Toolchain, error) { panic("contract") }

// An Overlay maps absolute file names to contents that replace or add to what is on disk.
type Overlay map[string][]byte

// BuildOptions says how to build a test binary.
type BuildOptions struct {
	Package string   // import path or ./relative
	Flags   []string // user's build flags
	Race    bool
	Overlay Overlay       // nil: the source as it is
	Env     []string      // added to the environment, e.g. GOEXPERIMENT=goroutineleakprofile
	Output  string        // absolute name of the binary to write
	Timeout time.Duration // 0: 5 minutes
}

// BuildTest builds a package's test binary (go test -c -vet=off -overlay).
// What the compiler refuses is a *BuildError; a package without tests is ErrNoTests.
func (t *Toolchain) BuildTest(ctx context.Context, o BuildOptions) error { panic("contract") }

// A BuildError holds what the compiler or linker said.
type BuildError struct {
	Diagnostics []Diagnostic
	Output      string // complete, for what has no position
}

func (e *BuildError) Error() string { panic("contract") }

// A Diagnostic is one message of the compiler or of vet.
type Diagnostic struct {
	File         string // absolute
	Line, Column int
	Message      string
}

// Vet runs go vet on packages under an overlay; findings are a *BuildError.
func (t *Toolchain) Vet(ctx context.Context, o BuildOptions, packages ...string) error {
	panic("contract")
}

// Stop says who ended a process.
type Stop string

// Reasons for a process's end.
const (
	Exited      Stop = "" // by itself
	TimedOut    Stop = "timeout"
	OutOfMemory Stop = "memory"    // killed at RunOptions.Memory
	TooMuchText Stop = "output"    // killed at RunOptions.OutputLimit
	Cancelled   Stop = "cancelled" // ctx ended
)

// RunOptions says how to run an untrusted program.
type RunOptions struct {
	Path        string
	Args        []string
	Dir         string        // working directory
	Env         []string      // added to the environment
	Timeout     time.Duration // then SIGQUIT (the goroutine dump is in Output), grace, SIGKILL; 0: 1 minute
	Grace       time.Duration // between SIGQUIT and SIGKILL; 0: 1 second
	Memory      int64         // bytes resident in the whole process group; 0: 2 GiB
	OutputLimit int64         // bytes kept and allowed on stdout and stderr together; 0: 16 MiB
}

// A RunResult is what became of a process.
type RunResult struct {
	Output   []byte // stdout and stderr, interleaved
	ExitCode int    // -1 when ended by a signal
	Stop     Stop
	Elapsed  time.Duration
	CPU      time.Duration // user and system
	MaxRSS   int64         // bytes
	Switches int64         // voluntary context switches
}

// Run runs a program in a process group of its own and returns when it and
// all its descendants are gone. The error is for what could not be run at
// all; a failing program is a result.
func Run(ctx context.Context, o RunOptions) (RunResult, error) { panic("contract") }

// TempDir makes a private temporary directory; remove deletes it and is safe to call twice.
func TempDir() (dir string, remove func() error, err error) { panic("contract") }
