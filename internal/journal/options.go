package journal

import (
	"fmt"
	"path/filepath"
	"time"

	"mendel/internal/result"
)

// Options are what was asked of a run as the store and series.json have it. Its
// keys are promised: a renamed field of [result.Wanted] changes nothing here, and
// a new option gets a new key.
type Options struct {
	Dir            string
	Package        string
	Run            string
	Tags           string
	Flags          []string
	From           string
	FromName       string
	Out            string
	Budget         time.Duration
	Resume         bool
	Fresh          bool
	Seed           uint64
	Workers        int
	Count          int
	Confirm        int
	Timeout        time.Duration
	IncludeTests   bool
	Population     int
	Generations    int
	NoSerialize    bool
	NoRace         bool
	NoChecker      bool
	NoNoise        bool
	UntilCandidate bool
	Search         SearchOptions
	Without        []string `json:",omitempty"`
	Verbose        bool
	Observer       any // always null; format 1 has it
}

// SearchOptions are those of [result.SearchOptions] as they are stored.
type SearchOptions struct {
	Uniform         bool
	Random          bool
	NoOpening       bool
	NoComposites    bool
	NoBatch         bool
	Scratch         bool `json:",omitempty"`
	NoSlope         bool
	NoRanking       bool `json:",omitempty"`
	NoForcing       bool `json:",omitempty"`
	ScoreOnly       bool `json:",omitempty"`
	ReplaceEvery    int
	ReplaceFraction float64
	ReplaceBest     float64
	WeakTurns       int
	WeightWindow    int
	ConvergeWindow  int
}

// Store is what is stored of what the user wants. Resume is left out: it says
// what one process does.
func Store(w result.Wanted) Options {
	return Options{
		Dir: w.Dir, Package: w.Package, Run: w.Run, Tags: w.Tags, Flags: w.Flags,
		From: w.From, FromName: w.FromName, Out: w.Out, Budget: w.Budget, Fresh: w.Fresh,
		Seed: w.Seed, Workers: w.Workers, Count: w.Count, Confirm: w.Confirm, Timeout: w.Timeout,
		IncludeTests: w.IncludeTests, Population: w.Population, Generations: w.Generations,
		NoSerialize: w.NoSerialize, NoRace: w.NoRace, NoChecker: w.NoChecker, NoNoise: w.NoNoise,
		UntilCandidate: w.UntilCandidate, Search: SearchOptions(w.Search), Without: w.Without, Verbose: w.Verbose,
	}
}

// Wanted is the inverse of Store. Nobody observes.
func (o Options) Wanted() result.Wanted {
	return result.Wanted{
		Dir: o.Dir, Package: o.Package, Run: o.Run, Tags: o.Tags, Flags: o.Flags,
		From: o.From, FromName: o.FromName, Out: o.Out, Budget: o.Budget, Fresh: o.Fresh,
		Seed: o.Seed, Workers: o.Workers, Count: o.Count, Confirm: o.Confirm, Timeout: o.Timeout,
		IncludeTests: o.IncludeTests, Population: o.Population, Generations: o.Generations,
		NoSerialize: o.NoSerialize, NoRace: o.NoRace, NoChecker: o.NoChecker, NoNoise: o.NoNoise,
		UntilCandidate: o.UntilCandidate, Search: result.SearchOptions(o.Search), Without: o.Without, Verbose: o.Verbose,
	}
}

// Absolute makes the names among options independent of where the process works.
func (o Options) Absolute() (Options, error) {
	for _, name := range []*string{&o.Dir, &o.From, &o.Out} {
		if *name == "" && name != &o.Dir {
			continue
		}
		abs, err := filepath.Abs(*name)
		if err != nil {
			return o, fmt.Errorf("find %s: %w", *name, err)
		}
		*name = abs
	}
	return o, nil
}

// Seconds is a stored time.
func Seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
