package localize

import (
	"context"
	"slices"
	"time"

	"mendel/analysis"
	"mendel/checker"
)

// Failures are those of a program whose places are to be ranked.
type Failures struct {
	Program    *analysis.Program
	Binary     *checker.Binary   // built of the program as it is
	All        []checker.Failure // found with Binary
	Executions int               // compared of each failing test; 0: 100
	Budget     time.Duration     // for all executions; 0: 1 s
	Seed       uint64
}

// Rank ranks the places of failures that are known already, by schedules. The faults
// are those of the result of Run; Place.Fault is an index of them.
func Rank(ctx context.Context, f Failures) ([]Fault, []Place, error) {
	if f.Executions == 0 {
		f.Executions = 100
	}
	if f.Budget == 0 {
		f.Budget = time.Second
	}
	failures := slices.DeleteFunc(slices.Clone(f.All), overdue)
	if len(failures) == 0 {
		return nil, nil, nil
	}
	end := time.Now().Add(f.Budget)
	w := witnessing{program: f.Program, binary: f.Binary, executions: f.Executions, seed: f.Seed, left: func() time.Duration { return time.Until(end) }}
	x, err := w.examiner(ctx, failingTests(failures), failures)
	if err != nil {
		return nil, nil, err
	}
	failures = slices.DeleteFunc(failures, func(f checker.Failure) bool { return x.sequential(&f) })
	var r Result
	if len(failures) > 0 {
		x.rank(failures, &r)
	}
	return r.Faults, r.Places, nil
}

// overdue reports whether a failure is a time-out, which has no places.
func overdue(f checker.Failure) bool { return f.Kind == "timeout" }

// failingTests are the tests of failures, each once.
func failingTests(failures []checker.Failure) (tests []string) {
	for _, f := range failures {
		if !slices.Contains(tests, f.Test) {
			tests = append(tests, f.Test)
		}
	}
	return tests
}

// leastWitness is the least time for the executions of a test, even if the budget is
// spent: without them there is little to say. Guessed.
const leastWitness = 2 * time.Second

// A witnessing makes executions that are told in full.
type witnessing struct {
	program     *analysis.Program
	binary      *checker.Binary
	executions  int // of each test
	seed        uint64
	least       time.Duration // for a test, even if nothing is left
	left        func() time.Duration
	failingOnly bool // what passes is left out
}

// examiner has executions of each of some tests told in full, and the schedules of
// their failures followed.
func (w witnessing) examiner(ctx context.Context, tests []string, failures []checker.Failure) (*examiner, error) {
	x := &examiner{src: newSources(w.program), executions: map[string][]*execution{}}
	for i, test := range tests {
		var given []checker.Schedule
		for _, f := range failures {
			if f.Test == test {
				given = append(given, f.Schedule)
			}
		}
		share := max(w.left()/time.Duration(len(tests)-i)*2/3, w.least)
		if share <= 0 {
			break
		}
		all, _, err := w.binary.Witness(ctx, checker.Witnessing{Test: test, Executions: w.executions, Budget: share, Seed: w.seed, Given: given})
		if err != nil {
			return nil, err
		}
		for _, one := range all {
			if w.failingOnly && one.Failure == nil {
				continue
			}
			x.executions[test] = append(x.executions[test], examine(one))
		}
	}
	return x, nil
}
