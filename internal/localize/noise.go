package localize

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"mendel/analysis/evidence"
	harness "mendel/fitness/noise"
)

// Localisation by noise: Rojas Garcia, CFLASH: Using Noise to Localize Concurrency
// Bugs (Ontario Tech, 2020). Noise places are numbered, and halves of them are noised
// in turn: the half under which the tests fail more often is halved again, and both
// are if the rates are too alike.
//
// Deviations. Rates are compared by Fisher's exact test and not by their difference;
// runs of a half end as soon as the test is clear. Failures with other signatures are
// searched for apart, in the same runs. What the race detector and dumps name counts
// as a place as well.

const (
	batchRuns  = 8    // runs between two looks at the rates: guessed
	mostRuns   = 48   // of one set of places: guessed
	clear      = 0.01 // the rates differ if it is less likely that equal ones look so
	mostFaults = 3    // signatures that are searched for
)

// A noiseSearch is one under way.
type noiseSearch struct {
	*localizing
	noised  *noised
	harness *harness.Harness
	binary  *harness.Binary
	runs    map[[2]int]*series // by first and last place
	total   int
}

// A series is runs with the same places noised.
type series struct {
	runs   int
	failed map[string]int // by signature
}

func (s *series) rate(signature string) float64 {
	if s.runs == 0 {
		return 0
	}
	return float64(s.failed[signature]) / float64(s.runs)
}

// byNoise localises with runs of the real program. The result is Inconclusive where
// it tells nothing.
func (l *localizing) byNoise(ctx context.Context, why string) (err error) {
	n := noise(l.program, cmpKinds(l.o.Noise))
	l.result.Status, l.result.Reason, l.result.Tried.NoisePlaces = Inconclusive, why, len(n.places)
	if len(n.places) == 0 {
		l.result.Reason = strings.TrimSpace(why + "; and there is no place for noise")
		return nil
	}
	l.o.Phase("building with %d noise places", len(n.places))
	s := &noiseSearch{localizing: l, noised: n, runs: map[[2]int]*series{}}
	if s.harness, err = harness.New(harness.Config{Tool: l.tool, Program: l.program, Workers: l.o.Workers}); err != nil {
		return err
	}
	defer s.harness.Close()
	if s.binary, err = s.harness.Build(ctx, harness.Noised, n.files); err != nil {
		return fmt.Errorf("build with noise: %w", err)
	}
	defer s.binary.Close()
	return s.search(ctx)
}

func cmpKinds(kinds []string) []string {
	if len(kinds) == 0 {
		return NoiseKinds
	}
	return kinds
}

// search finds the places of each failure.
func (s *noiseSearch) search(ctx context.Context) error {
	end := time.Now().Add(max(s.left(), leastNoise))
	all := [2]int{0, len(s.noised.places) - 1}
	failures := map[string]evidence.Failure{}
	base := &series{failed: map[string]int{}}
	s.runs[all] = base
	for base.runs < mostRuns && time.Now().Before(end) {
		s.o.Phase("running with noise everywhere")
		if err := s.more(ctx, all, failures); err != nil {
			return err
		}
		if len(base.failed) > 0 && base.runs >= 2*batchRuns {
			break
		}
	}
	defer func() { s.result.Tried.NoiseRuns = s.total }()
	if len(failures) == 0 {
		s.result.Reason = fmt.Sprintf("%s; none of %d runs with noise failed", s.result.Reason, base.runs)
		return nil
	}
	signatures := slices.SortedFunc(maps.Keys(base.failed), func(a, b string) int {
		return cmp.Or(cmp.Compare(base.failed[b], base.failed[a]), strings.Compare(a, b))
	})
	s.result.Status, s.result.Reason = Found, ""
	for _, signature := range signatures[:min(mostFaults, len(signatures))] {
		leaves := map[int]bool{}
		if base.failed[signature] < base.runs { // else every set fails, and nothing is told apart
			if err := s.halve(ctx, all, signature, end, failures, leaves); err != nil {
				return err
			}
		}
		s.report(failures[signature], base.rate(signature), leaves)
	}
	s.result.rankAgain()
	return nil
}

// leastNoise is the least time for a search. Guessed.
const leastNoise = 10 * time.Second

// more makes some runs of a set of places.
func (s *noiseSearch) more(ctx context.Context, set [2]int, failures map[string]evidence.Failure) error {
	r := s.runs[set]
	outcomes, err := s.harness.RunMany(ctx, s.binary, batchRuns, harness.RunOptions{
		Seed: s.o.Seed + uint64(s.total), Quiet: true, Env: []string{fmt.Sprintf("%s=%d-%d", noiseEnv, set[0], set[1])},
	}, nil)
	if err != nil {
		return fmt.Errorf("run with noise: %w", err)
	}
	for _, o := range outcomes {
		r.runs++
		s.total++
		seen := map[string]bool{}
		for _, f := range o.Failures {
			if !seen[f.Signature] {
				seen[f.Signature] = true
				r.failed[f.Signature]++
			}
			if _, known := failures[f.Signature]; !known {
				failures[f.Signature] = f
			}
		}
	}
	return nil
}

// halve searches a set of places whose noise makes a failure occur: the half with
// the higher rate is kept, or both if the rates do not differ clearly. Single places
// that are left are leaves.
func (s *noiseSearch) halve(ctx context.Context, set [2]int, signature string, end time.Time, failures map[string]evidence.Failure, leaves map[int]bool) error {
	if set[0] == set[1] {
		leaves[set[0]] = true
		return nil
	}
	if time.Now().After(end) {
		return nil
	}
	s.o.Phase("running with noise at places %d to %d of %d", set[0]+1, set[1]+1, len(s.noised.places))
	middle := (set[0] + set[1]) / 2
	sets := [2][2]int{{set[0], middle}, {middle + 1, set[1]}}
	halves := [2]*series{s.of(sets[0]), s.of(sets[1])}
	differ := func() bool {
		return fisher(halves[0].failed[signature], halves[0].runs, halves[1].failed[signature], halves[1].runs) < clear
	}
	for halves[1].runs < mostRuns && !differ() && time.Now().Before(end) {
		for _, half := range sets {
			if err := s.more(ctx, half, failures); err != nil {
				return err
			}
		}
	}
	for i, half := range sets {
		mine, other := halves[i].rate(signature), halves[1-i].rate(signature)
		if mine == 0 || differ() && mine < other {
			continue
		}
		if err := s.halve(ctx, half, signature, end, failures, leaves); err != nil {
			return err
		}
	}
	return nil
}

func (s *noiseSearch) of(set [2]int) *series {
	if s.runs[set] == nil {
		s.runs[set] = &series{failed: map[string]int{}}
	}
	return s.runs[set]
}

// report adds a fault with the places that the failure names, and those of the
// search.
func (s *noiseSearch) report(f evidence.Failure, rate float64, leaves map[int]bool) {
	x := &examiner{src: newSources(s.program)}
	number := len(s.result.Faults)
	s.result.Faults = append(s.result.Faults, Fault{Name: kindName(f.Kind), Failures: []evidence.Failure{f}, Switches: -1})
	var list []suspect
	for _, stack := range f.Stacks {
		for _, frame := range stack.Frames {
			at := site{frame.File, frame.Line}
			if place := s.program.Place(frame); place.File != nil {
				at = site{place.File.Name, frame.Line}
			}
			if !x.src.inside(at) {
				continue
			}
			list = append(list, suspect{at: at, does: stack.Role, score: 0.8, says: "is where the failure shows: " + stack.Role})
			break
		}
	}
	rates := map[site]*series{}
	for i := range leaves {
		p := s.noised.places[i]
		r := s.runs[[2]int{i, i}]
		if r == nil || r.rate(f.Signature) == 0 {
			continue
		}
		rates[p.at] = r
		list = append(list, suspect{at: p.at, does: p.kind, score: 0.8 * math.Sqrt(r.rate(f.Signature)),
			says: fmt.Sprintf("noise here makes %d of %d runs fail (%.0f %% with noise everywhere)", r.failed[f.Signature], r.runs, 100*rate)})
	}
	for _, p := range merged(x.onlyInside(list)) {
		place := x.place(p, number)
		if r := rates[p.at]; r != nil {
			place.Rate, place.Runs = r.rate(f.Signature), r.runs
			place.Suspiciousness = math.Round(1000*min(0.99, p.score+0.1)) / 1000
		}
		s.result.Places = append(s.result.Places, place)
	}
}

func kindName(k evidence.Kind) string {
	switch k {
	case evidence.Race:
		return dataRace
	case evidence.Deadlock:
		return unknownDeadlock
	case evidence.Blocked:
		return blockedForEver
	}
	return unknownFailure
}
