package evolve

import (
	"context"
	"runtime"

	"mendel/analysis/evidence"
	"mendel/fitness"
	"mendel/mutate"
)

// An Evaluator scores mutants; *fitness.Evaluator is one. It is called by
// several goroutines at once, and once for each distinct source.
type Evaluator interface {
	Evaluate(ctx context.Context, m *mutate.Mutant) (fitness.Result, error)
}

// A Preparer is an Evaluator that can build several mutants together before
// they are evaluated; *fitness.Evaluator is one. Prepare is called by one
// goroutine, while others are in Evaluate.
type Preparer interface {
	// Prepare builds mutants that are going to be evaluated. The error is for
	// what could not be run at all, or ctx's.
	Prepare(ctx context.Context, mutants []*mutate.Mutant) error
	// Release removes what was prepared and not evaluated. It is called at the end of each generation.
	Release()
}

// A Space offers edits and builds mutants; *mutate.Space is one. Its edits may
// grow while a search runs: they are read anew for each generation.
type Space interface {
	Edits() []mutate.Edit
	Operator(name string) *mutate.Operator
	Mutant(ctx context.Context, edits []mutate.Edit) (*mutate.Mutant, error)
}

// DefaultPopulation is CORE's.
const DefaultPopulation = 30

// Options are the parameters of the search; zero values are CORE's (Kelk 2015,
// table 4.11, whose names are in brackets).
type Options struct {
	Population  int // members [Population]; 0: 30
	Generations int // at most [Generations]; 0: 30
	Opening     int // mutants of the first generation, of which the best Population go on; below Population, or with NoOpening or Random: Population
	Workers     int // mutants scored at a time; 0: runtime.NumCPU()
	Seed        uint64
	Kind        evidence.Kind // of the failure to repair: which weights to start with
	// Faults are the names of what is wrong with the program, as far as it is known:
	// operators that mend it come first.
	Faults []evidence.Fault
	// Original is how the program without edits scored; nil: it is evaluated
	// at the end of the first generation.
	Original *fitness.Result

	ReplaceEvery    int     // generations [Replace Interval]; 0: 5; negative: never
	ReplaceFraction float64 // of the population, 0 to 1 [Replace Lowest %]; 0: 0.10
	ReplaceBest     float64 // chance to take a member of the upper quarter, else the original [Replace With Best %]; 0: 0.75
	WeakTurns       int     // generations below the mean before a member can be replaced [Replace min turns]; 0: 3
	WeightWindow    int     // generations that count for operator weights [Ranking Window]; 0: 5
	ConvergeWindow  int     // generations without improvement that end the search [Improv. Window]; 0: 10; negative: never
	ConvergeMean    float64 // smallest improvement of the mean score that counts [Avg. Fit. Delta]; 0: 0.01
	ConvergeBest    float64 // smallest improvement of the best score that counts [Best Fit. Delta]; 0: 1

	// What to leave out, to measure what it is good for:
	UniformOperators bool // operators are chosen with equal chances instead of by weight
	Random           bool // each mutant is the original with one to three edits drawn at random: no inheritance, selection, weights or convergence
	NoOpening        bool // no single edits first: the first generation is mutated at random, as CORE's
	NoComposites     bool // composite edits are left out
	NoSlope          bool // mutants with equal scores are equally good, whatever their failures; no member follows a better one or what its failures name
	NoBatch          bool // nothing is prepared: each mutant is built by whoever scores it

	// Urgent is positive for an edit that is to be tried alone before anything else; of
	// several the one with the lowest number comes first. It is asked at the start of each
	// generation; nil: none is.
	Urgent func(e mutate.Edit) int
	// Accept is asked for each new mutant with a full score, in the order of
	// the population; true ends the search. Calls do not overlap, and no
	// scoring starts while one runs. nil: the first full score ends it.
	Accept func(ctx context.Context, m *mutate.Mutant, r fitness.Result) (bool, error)
	// Rejected reports whether a mutant with a full score is known to be no fix:
	// then it is worth what the original is. It is asked at the end of each
	// generation, after EndGeneration. nil: none is.
	Rejected func(m *mutate.Mutant) bool
	// Refuted returns the failures of a rejected mutant that its score did not show;
	// they tell where to go on. It is asked after Accept, and where Rejected is. nil:
	// there are none.
	Refuted func(m *mutate.Mutant) []evidence.Failure
	// Waits reports whether Accept has put off its answer about a mutant until the end of
	// the generation. It is asked after Accept. nil: it never does.
	Waits func(m *mutate.Mutant) bool
	// Observe is called with each event; nil: nobody. Calls overlap neither each
	// other nor those of Accept, and come in the same order whatever Workers is.
	Observe func(Event)
	// Widen lists more edits of the space and reports whether there were any. It is asked
	// at the end of a generation in which few are left that were not tried alone. nil:
	// all are listed.
	Widen func() bool
	// EndGeneration is called with the last event of each complete generation,
	// after Observe. No scoring runs meanwhile. done ends the search, and so does
	// an error, which Search returns. nil: nothing.
	EndGeneration func(ctx context.Context, e Event) (done bool, err error)
}

// An Event is a step of the search.
type Event struct {
	Of          string         // what is searched for, if several searches share an observer
	Generation  int            // 1 is the first
	Evaluations int            // so far
	Best        float64        // score of a mutant so far
	Original    float64        // score of the program without edits; 0 also when it is not known yet
	Mean        float64        // score of this generation, as far as it is known
	Done        bool           // the generation is complete
	Edits       int            // that the space offers; the number may grow
	Mutant      *mutate.Mutant // just scored (without edits: the original); nil when Done
	Operator    string         // of the edit that its latest mutation added; "": it took one out, or Mutant has several drawn at once, or was left over
	Urgent      bool           // that edit is the only one, and was urgent
	Result      fitness.Result // of Mutant
}

// Ended says why a search ended.
type Ended string

// Reasons for the end of a search.
const (
	Accepted         Ended = "accepted"
	Exhausted        Ended = "exhausted" // every mutant that mutations can make was tried
	Converged        Ended = "converged"
	OutOfGenerations Ended = "generations-exhausted"
	NoEdits          Ended = "no-edits" // the space offers none, or refuses every one
	Enough           Ended = "enough"   // EndGeneration ended it
	Stopped          Ended = "stopped"  // ctx ended, or something could not be run
)

// A Scored mutant.
type Scored struct {
	Mutant *mutate.Mutant
	Result fitness.Result
}

// A Result is what a search found.
type Result struct {
	Ended Ended
	// Best holds at most 10 mutants with distinct sources: the accepted one,
	// then by score, those that Accept did not take after others of their
	// score, then by slope, then by fewer edits, then in the order they were scored.
	Best        []Scored
	Generations int // begun
	Evaluations int // scores that the result rests on, without those of mutants behind an accepted one
}

// Search looks for a mutant with a full score. When ctx ends it returns the
// best so far with ctx's error; so it does with any other error, which means
// that something could not be run at all. The result is never nil.
func Search(ctx context.Context, s Space, eval Evaluator, o Options) (*Result, error) {
	search := newSearch(ctx, s, eval, o.withDefaults())
	err := search.run()
	return search.result(), err
}

func (o Options) withDefaults() Options {
	positive(&o.Population, DefaultPopulation)
	positive(&o.Generations, 30)
	positive(&o.Workers, runtime.NumCPU())
	positive(&o.WeakTurns, 3)
	positive(&o.WeightWindow, 5)
	if o.Opening = max(o.Opening, o.Population); o.NoOpening || o.Random {
		o.Opening = o.Population
	}
	positive(&o.ReplaceFraction, 0.10)
	positive(&o.ReplaceBest, 0.75)
	positive(&o.ConvergeMean, 0.01)
	positive(&o.ConvergeBest, 1)
	if o.ReplaceEvery == 0 {
		o.ReplaceEvery = 5
	}
	if o.ConvergeWindow == 0 {
		o.ConvergeWindow = 10
	}
	return o
}

// positive replaces what is not positive by a default.
func positive[T int | float64](v *T, def T) {
	if *v <= 0 {
		*v = def
	}
}
