package repair

import (
	"cmp"
	"time"

	"mendel/internal/result"
)

// settings are what a repair was asked for, resolved: defaults are filled in,
// and what the evidence and the toolchain decide is decided. They never change.
type settings struct {
	dir, pkg, run string
	tags          string
	flags         []string // further build flags
	includeTests  bool

	out            string // "": nothing is written
	from, fromName string // evidence that names the failures; "": none

	budget, timeout time.Duration // timeout of one run; 0: calibrated
	searchBudget    time.Duration // as in result.Wanted
	seed            uint64
	workers         int
	count, confirm  int // noised runs that score a mutant, and that confirm a fix; confirm 0: as many as needed

	population, generations int // 0: evolve's defaults
	search                  result.SearchOptions
	without                 []string // operators

	noRace, noChecker, noNoise, noSerialize bool
	untilCandidate                          bool
	fresh                                   bool
}

// resolve takes from what is wanted what does not depend on the program. The
// defaults are filled in already.
func resolve(w result.Wanted) settings {
	return settings{
		dir: w.Dir, pkg: w.Package, run: w.Run, tags: w.Tags, flags: w.Flags, includeTests: w.IncludeTests,
		out: w.Out, from: w.From, fromName: w.FromName,
		budget: w.Budget, searchBudget: w.SearchBudget, timeout: w.Timeout, seed: w.Seed, workers: w.Workers, count: w.Count, confirm: w.Confirm,
		population: w.Population, generations: w.Generations, search: w.Search, without: w.Without,
		noRace: w.NoRace, noChecker: w.NoChecker, noNoise: w.NoNoise, noSerialize: w.NoSerialize,
		untilCandidate: w.UntilCandidate, fresh: w.Fresh,
	}
}

// target is what the settings name, as far as a module need not be known.
func (s settings) target() result.Target {
	return result.Target{Package: s.pkg, Run: s.run, IncludeTests: s.includeTests}
}

const (
	// firstTimeout limits a run while nothing is known of the tests.
	firstTimeout = 20 * time.Second
	// firstShare is the part of the budget, one of so many, that it is at most, and
	// leastFirst what it is at least. Guessed.
	firstShare = 6
	leastFirst = 5 * time.Second
)

// firstTimeout is the limit of a run before calibration. With little time for
// everything it is less: runs that hang must not take all of it.
func (s settings) firstTimeout() time.Duration {
	return cmp.Or(s.timeout, min(firstTimeout, max(s.budget/firstShare, leastFirst)))
}

// wantsTraces reports whether there is anybody to show executions to.
func (s settings) wantsTraces() bool { return s.out != "" && !s.untilCandidate }

// runsAtATime is how many noised runs may go on side by side. A noised run
// sleeps more than half of its time: with two on each processor 150 runs took
// half as long on the subjects. With the checker there may be four: 150 runs took
// half as long again, each of them a tenth to a quarter longer.
// Without it they stay two, so that what noise alone does can be compared.
func (s settings) runsAtATime() int {
	if s.noChecker {
		return 2 * s.workers
	}
	return 4 * s.workers
}
