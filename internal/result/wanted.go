package result

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"time"

	"mendel/evolve"
)

// DefaultBudget is the time for a repair unless Wanted says otherwise.
const DefaultBudget = 10 * time.Minute

// Wanted is what the user asks of a repair: what to repair and how long to try.
// Zero values are defaults. What a repair resolves from it, and what is stored of
// it, are types of their own (internal/repair, internal/journal).
type Wanted struct {
	Dir     string   // directory to work in, as go -C; "": the current one
	Package string   // import path or ./relative pattern of one package; "": the one that From names, else "."
	Run     string   // -run pattern of the failing tests; "": all
	Tags    string   // build tags, comma-separated
	Flags   []string // further build flags for the go command

	From     string        // file with what evidence.Read reads, which names the failures to repair; "": none
	FromName string        // what people know that text by, such as "standard input"; "": the file's name
	Out      string        // directory for result.json and patches, made if missing; "": nothing is written
	Budget   time.Duration // for everything; 0: DefaultBudget
	// SearchBudget is the part of Budget after which no search goes on. What it has found until then is validated
	// in all of Budget. 0: no such limit. It is not stored: a repair that goes on has one of its own.
	SearchBudget time.Duration

	Resume bool // go on with the repair in Out; what it was asked for holds, but for Budget
	Fresh  bool // do not use what earlier repairs in Out have learnt of the same source

	Seed    uint64        // of every random choice; 0: 1
	Workers int           // mutants scored at a time, and half of the runs at a time; 0: runtime.NumCPU()
	Count   int           // noised runs that score a mutant; 0: 15
	Confirm int           // noised runs that confirm a fix; 0: as few as leave no chance worth mentioning, at most 10 times Count
	Timeout time.Duration // of one run; 0: calibrated from the first runs

	// IncludeTests lets fixes change code in test files too, but never what the
	// tests assert; see mutate.IncludeTests.
	IncludeTests bool

	Population  int  // 0: 30
	Generations int  // 0: 30
	NoSerialize bool // reject fixes that run a whole goroutine body under one lock
	NoRace      bool // build without the race detector
	NoChecker   bool // noise alone decides
	// NoNoise leaves the decision to the checker alone: the original runs with
	// noise, no mutant does. For evaluation: nothing real confirms such a fix.
	NoNoise bool
	// UntilCandidate ends the repair with the first mutant that has a full score
	// and no flag; nothing is validated, and there is no fix. For evaluation.
	UntilCandidate bool
	Search         SearchOptions // how the search goes; the zero value is best. For evaluation
	Without        []string      // operators to leave out, with all that is made of their edits. For evaluation

	Verbose  bool     // tell the observer the narrowing and each step
	Observer Observer // nil: nobody
}

// SearchOptions change how the search goes, to measure what its parts are good
// for; see evolve.Options, whose zero values they share. Names in brackets are
// those of CORE's parameters (Kelk 2015, table 4.11).
type SearchOptions struct {
	Uniform      bool // operators are drawn with equal chances, not by weight
	Random       bool // no genetic search: each mutant is the original with one to three edits drawn at random
	NoOpening    bool // the first generation is random, as CORE's, not the likeliest edits first
	NoComposites bool // composite edits are left out
	NoBatch      bool // each mutant is built by itself
	Scratch      bool // each mutant is checked from scratch: no schedule of another one counts for it
	NoSlope      bool // mutants with equal scores are equally good, whatever their failures
	NoRanking    bool // edits are not tried in the order of the ranked places of the fault
	NoForcing    bool // no interleavings are predicted and forced
	ScoreOnly    bool // no candidate is validated, so none ends the search: to measure how fast it scores

	ReplaceEvery    int     // generations between replacements [Replace Interval]; 0: 5; negative: never
	ReplaceFraction float64 // of the population that may be replaced, 0 to 1 [Replace Lowest %]; 0: 0.10
	ReplaceBest     float64 // chance that a good member takes the place, not the original [Replace With Best %]; 0: 0.75
	WeakTurns       int     // generations that a member does badly before it is replaced [Replace min turns]; 0: 3
	WeightWindow    int     // generations that count for operator weights [Ranking Window]; 0: 5
	ConvergeWindow  int     // generations without improvement that end the search [Improv. Window]; 0: 10; negative: never
}

// An Observer is told of a repair's progress; *report.Progress is one. Calls
// may come from several goroutines.
type Observer interface {
	Phase(format string, args ...any)  // what is being done now
	Search(e evolve.Event)             // the search has come so far
	Printf(format string, args ...any) // one line to keep
}

// Silent is an Observer that keeps nothing.
type Silent struct{}

// Phase does nothing.
func (Silent) Phase(string, ...any) {}

// Search does nothing.
func (Silent) Search(evolve.Event) {}

// Printf does nothing.
func (Silent) Printf(string, ...any) {}

// WithDefaults fills in what is zero.
func (o Wanted) WithDefaults() Wanted {
	if o.From == "" { // else the package may be found in it
		o.Package = cmp.Or(o.Package, ".")
	}
	o.Budget = cmp.Or(o.Budget, DefaultBudget)
	o.Seed = cmp.Or(o.Seed, 1)
	o.Workers = cmp.Or(o.Workers, runtime.NumCPU())
	o.Count = cmp.Or(o.Count, 15)
	if o.Observer == nil {
		o.Observer = Silent{}
	}
	return o
}

// Check refuses values that make no sense.
func (o Wanted) Check() error {
	for _, n := range []struct {
		name  string
		value int
	}{{"workers", o.Workers}, {"count", o.Count}, {"confirm", o.Confirm}, {"population", o.Population}, {"generations", o.Generations}} {
		if n.value < 0 {
			return fmt.Errorf("--%s %d is negative", n.name, n.value)
		}
	}
	if f, b := o.Search.ReplaceFraction, o.Search.ReplaceBest; min(f, b) < 0 || max(f, b) > 1 {
		return fmt.Errorf("search: ReplaceFraction %v and ReplaceBest %v must be from 0 to 1", f, b)
	}
	if o.Budget < 0 || o.Timeout < 0 || o.SearchBudget < 0 {
		return errors.New("--budget and --timeout must not be negative")
	}
	if o.NoNoise && o.NoChecker {
		return errors.New("without noise and without the checker nothing is left to judge by")
	}
	return nil
}

// BuildFlags are those for the go command: tags, then the others.
func BuildFlags(tags string, flags []string) []string {
	if tags == "" {
		return flags
	}
	return append([]string{"-tags=" + tags}, flags...)
}
