package setup

import (
	"cmp"
	"time"

	"mendel/internal/result"
)

// Settings are what a repair was asked for, resolved: defaults are filled in,
// and what the evidence and the toolchain decide is decided. They never change.
type Settings struct {
	Dir, Package, Run string   // as in result.Wanted; Run, too, what the evidence names
	Tags              string   // build tags
	Flags             []string // further build flags
	IncludeTests      bool     // test files are edited, too

	Out            string // "": nothing is written
	From, FromName string // evidence that names the failures; "": none

	Budget, Timeout time.Duration // of all, and of one run; 0: calibrated
	SearchBudget    time.Duration // as in result.Wanted
	Seed            uint64
	Workers         int // how much is done side by side
	Count, Confirm  int // noised runs that score a mutant, and that confirm a fix; Confirm 0: as many as needed

	Population, Generations int // 0: evolve's defaults
	Search                  result.SearchOptions
	Without                 []string // operators

	NoRace, NoChecker, NoNoise, NoSerialize bool // as in result.Wanted; NoRace, too, where the toolchain has no race detector
	UntilCandidate                          bool // nothing is validated
	Fresh                                   bool // scores of earlier repairs are not used
}

// Resolve takes from what is wanted what does not depend on the program. The
// defaults are filled in already.
func Resolve(w result.Wanted) Settings {
	return Settings{
		Dir: w.Dir, Package: w.Package, Run: w.Run, Tags: w.Tags, Flags: w.Flags, IncludeTests: w.IncludeTests,
		Out: w.Out, From: w.From, FromName: w.FromName,
		Budget: w.Budget, SearchBudget: w.SearchBudget, Timeout: w.Timeout, Seed: w.Seed, Workers: w.Workers, Count: w.Count, Confirm: w.Confirm,
		Population: w.Population, Generations: w.Generations, Search: w.Search, Without: w.Without,
		NoRace: w.NoRace, NoChecker: w.NoChecker, NoNoise: w.NoNoise, NoSerialize: w.NoSerialize,
		UntilCandidate: w.UntilCandidate, Fresh: w.Fresh,
	}
}

// AsTarget is what the settings name, as far as a module need not be known.
func (s Settings) AsTarget() result.Target {
	return result.Target{Package: s.Package, Run: s.Run, IncludeTests: s.IncludeTests}
}

const (
	// firstTimeout limits a run while nothing is known of the tests.
	firstTimeout = 20 * time.Second
	// firstShare is the part of the budget, one of so many, that it is at most, and
	// leastFirst what it is at least. Guessed.
	firstShare = 6
	leastFirst = 5 * time.Second
)

// FirstTimeout is the limit of a run before calibration. With little time for
// everything it is less: runs that hang must not take all of it.
func (s Settings) FirstTimeout() time.Duration {
	return cmp.Or(s.Timeout, min(firstTimeout, max(s.Budget/firstShare, leastFirst)))
}

// WantsTraces reports whether there is anybody to show executions to.
func (s Settings) WantsTraces() bool { return s.Out != "" && !s.UntilCandidate }

// RunsAtATime is how many noised runs may go on side by side. A noised run
// sleeps more than half of its time: with two on each processor 150 runs took
// half as long on the subjects. With the checker there may be four: 150 runs took
// half as long again, each of them a tenth to a quarter longer.
// Without it they stay two, so that what noise alone does can be compared.
func (s Settings) RunsAtATime() int {
	if s.NoChecker {
		return 2 * s.Workers
	}
	return 4 * s.Workers
}
