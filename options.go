package mendel

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"time"

	"mendel/evolve"
)

// DefaultBudget is the time for a repair unless Options say otherwise.
const DefaultBudget = 10 * time.Minute

// Options say what to repair and how long to try. Zero values are defaults.
type Options struct {
	Dir     string   // directory to work in, as go -C; "": the current one
	Package string   // import path or ./relative pattern of one package; "": "."
	Run     string   // -run pattern of the failing tests; "": all
	Tags    string   // build tags, comma-separated
	Flags   []string // further build flags for the go command

	From   string        // file with a race report or goroutine dump that names the failure; "": none
	Out    string        // directory for result.json and patches, made if missing; "": nothing is written
	Budget time.Duration // for everything; 0: DefaultBudget

	Seed    uint64        // of every random choice; 0: 1
	Workers int           // mutants scored at a time, and half of the runs at a time; 0: runtime.NumCPU()
	Count   int           // noised runs that score a mutant; 0: 15
	Confirm int           // noised runs that confirm a fix; 0: 10 times Count
	Timeout time.Duration // of one run; 0: calibrated from the first runs

	Population  int  // 0: 30
	Generations int  // 0: 30
	NoSerialize bool // reject fixes that run a whole goroutine body under one lock
	NoRace      bool // build without the race detector
	NoChecker   bool // noise alone decides

	Verbose  bool     // tell the observer the narrowing and each step
	Observer Observer // nil: nobody
}

// An Observer is told of a repair's progress; *report.Progress is one. Calls
// may come from several goroutines.
type Observer interface {
	Phase(format string, args ...any)  // what is being done now
	Search(e evolve.Event)             // the search has come so far
	Printf(format string, args ...any) // one line to keep
}

// A silent Observer.
type silent struct{}

func (silent) Phase(string, ...any)  {}
func (silent) Search(evolve.Event)   {}
func (silent) Printf(string, ...any) {}

// withDefaults fills in what is zero.
func (o Options) withDefaults() Options {
	o.Package = cmp.Or(o.Package, ".")
	o.Budget = cmp.Or(o.Budget, DefaultBudget)
	o.Seed = cmp.Or(o.Seed, 1)
	o.Workers = cmp.Or(o.Workers, runtime.NumCPU())
	o.Count = cmp.Or(o.Count, 15)
	o.Confirm = cmp.Or(o.Confirm, 10*o.Count)
	if o.Observer == nil {
		o.Observer = silent{}
	}
	return o
}

// check refuses values that make no sense.
func (o Options) check() error {
	for _, n := range []struct {
		name  string
		value int
	}{{"workers", o.Workers}, {"count", o.Count}, {"confirm", o.Confirm}, {"population", o.Population}, {"generations", o.Generations}} {
		if n.value < 0 {
			return fmt.Errorf("--%s %d is negative", n.name, n.value)
		}
	}
	if o.Budget < 0 || o.Timeout < 0 {
		return errors.New("--budget and --timeout must not be negative")
	}
	return nil
}
