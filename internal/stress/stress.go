package stress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"time"

	"mendel/analysis"
	"mendel/internal/result"
)

// The modes in which tests are run.
const (
	Plain      = "plain"      // as they are, without hooks and race detector
	Noise      = "noise"      // with noise, under the race detector
	Controlled = "controlled" // under the checker's control, random schedules
)

// Modes are all of them.
var Modes = []string{Plain, Noise, Controlled}

// DefaultBudget is the time for the runs unless Options say otherwise.
const DefaultBudget = time.Minute

// Options say what to repeat and for how long. Zero values are defaults.
type Options struct {
	Dir        string   // directory to work in, as go -C; "": the current one
	Package    string   // import path or ./relative pattern of one package; "": "."
	Run        string   // -run pattern of the tests; "": all
	Tags       string   // build tags, comma-separated
	Flags      []string // further build flags for the go command
	Instrument []string // as in check.Options

	Modes   []string      // of Modes; none: all
	Runs    int           // of each mode at most, of schedules for each test; 0: no bound
	Budget  time.Duration // for the runs, once the tests are built; 0: DefaultBudget
	Timeout time.Duration // of a run that is not under control; 0: ten times the mean
	First   bool          // end with the first failure
	Seed    uint64        // of noise and schedules; 0: 1
	Workers int           // processes at a time; 0: runtime.NumCPU()

	// Bisect is a range of commits, GOOD..BAD: the tests of BAD are repeated, and the commit
	// is looked for that brought what fails. Budget is that of each commit, First is not
	// used; "": what lies in Dir is repeated.
	Bisect string

	Log       string // file that receives the events of runs; "": none
	OnFailure string // command line that is run for each group, see hookEnv; "": none

	Out      string          // directory for stress.json and what reproduces failures; "": nothing is written
	Observer result.Observer // nil: nobody
}

func (o Options) withDefaults() Options {
	o.Package = cmp.Or(o.Package, ".")
	if len(o.Modes) == 0 {
		o.Modes = Modes
	}
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
	for _, mode := range o.Modes {
		if !slices.Contains(Modes, mode) {
			return fmt.Errorf("--modes %s: want plain, noise or controlled, or several of them", mode)
		}
	}
	switch {
	case o.Runs < 0:
		return fmt.Errorf("--runs %d is negative", o.Runs)
	case o.Workers < 0:
		return fmt.Errorf("--workers %d is negative", o.Workers)
	case o.Budget < 0:
		return errors.New("--budget must not be negative")
	case o.Bisect != "" && o.Log != "":
		return errors.New("--log is of the source as it lies there, not of the commits of --bisect")
	case o.Timeout < 0:
		return errors.New("--timeout must not be negative")
	}
	if _, err := regexp.Compile(o.Run); err != nil {
		return fmt.Errorf("--run %s: %w", o.Run, err)
	}
	return nil
}

// target is what is to be loaded.
func (o Options) target() analysis.Target {
	return analysis.Target{Dir: o.Dir, Package: o.Package, Run: o.Run, Flags: result.BuildFlags(o.Tags, o.Flags), Instrument: o.Instrument}
}

// Run repeats the tests of a package. The result is never nil; when ctx ends it holds
// what was seen by then, and the error is ctx's. Neither the budget's end nor a failing
// test is an error: errors are for what could not be run at all, as a package that does
// not build or has no tests.
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
	work := run
	if o.Bisect != "" {
		o.First, work = false, bisect
	}
	err := work(ctx, o, res)
	switch {
	case ctx.Err() != nil:
		err, res.Interrupted = ctx.Err(), true
	case err != nil:
		res.Reason = err.Error()
		return res, err // what an earlier run has left stays
	}
	res.conclude()
	res.Seconds = time.Since(began).Seconds()
	if saveErr := res.save(o.Out); saveErr != nil {
		return res, errors.Join(err, saveErr)
	}
	if err == nil {
		res.callHooks(ctx, o)
	}
	return res, err
}

// run builds the tests, repeats them, and takes over what they show.
func run(ctx context.Context, o Options, res *Result) error {
	what := o.Package
	if what == "." {
		what = filepath.Base(o.Dir)
	}
	o.Observer.Phase("loading %s", what)
	s, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer s.close()
	if s.log, err = newLogger(o.Log, s.tool.ModuleDir, s.excluded); err != nil {
		return err
	}
	res.Target.Module, res.Target.Package = s.tool.ModuleDir, s.program.Packages[0].Path
	o.Observer.Phase("running the tests for up to %v", o.Budget)
	if err = s.repeat(ctx, o.Budget); err == nil {
		err = s.schedules(ctx)
	}
	res.take(s)
	if failed := s.log.close(); failed != nil {
		res.Notes = append(res.Notes, failed.Error()) // what was seen stands
	}
	return err
}
