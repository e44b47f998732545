package localize

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"mendel/analysis/evidence"
	harness "mendel/fitness/noise"
	"mendel/internal/gotool"
)

// A noiseSearch is one under way.
type noiseSearch struct {
	*localizing
	*halving
	noised  *noised
	harness *harness.Harness
	binary  *harness.Binary
}

// byNoise localises with runs of the real program. The result is Inconclusive where
// it tells nothing. undecided says why no place was told from another; "": some were.
func (l *localizing) byNoise(ctx context.Context, why string) (undecided string, err error) {
	n := noise(l.program, cmpKinds(l.o.Noise))
	l.result.Status, l.result.Reason, l.result.Tried.NoisePlaces = Inconclusive, why, len(n.places)
	if len(n.places) == 0 {
		l.result.Reason = joined(why, "there is no place for noise")
		return l.result.Reason, nil
	}
	l.o.Phase("building with %d noise places", len(n.places))
	s := &noiseSearch{localizing: l, noised: n}
	if s.harness, err = harness.New(harness.Config{Tool: l.tool, Program: l.program, Workers: l.o.Workers}); err != nil {
		return "", err
	}
	defer s.harness.Close()
	if s.binary, err = s.harness.Build(ctx, harness.Noised, n.files); err != nil {
		if errors.Is(err, gotool.ErrNoTests) {
			return "", fmt.Errorf("nothing to localise: %w", err)
		}
		return "", fmt.Errorf("build with noise: %w", err)
	}
	defer s.binary.Close()
	end := time.Now().Add(max(l.left(), leastNoise))
	s.halving = &halving{
		places: len(n.places), run: s.runs, seed: l.o.Seed, phase: l.o.Phase,
		over: func() bool { return time.Now().After(end) },
	}
	found, err := s.search(ctx)
	l.result.Tried.NoiseRuns = s.total
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		l.result.Reason = joined(why, fmt.Sprintf("none of %d runs with noise failed", s.total))
		return s.undecided(), nil
	}
	l.result.Status, l.result.Reason = Found, ""
	for _, f := range found {
		s.report(f)
	}
	l.result.rankAgain()
	return s.undecided(), nil
}

// joined are two parts of a reason, of which the first may be empty.
func joined(why, more string) string {
	if why == "" {
		return more
	}
	return why + "; " + more
}

func cmpKinds(kinds []string) []string {
	if len(kinds) == 0 {
		return NoiseKinds
	}
	return kinds
}

// leastNoise is the least time for a search. Guessed.
const leastNoise = 10 * time.Second

// runs makes runs of the program with a set of places noised.
func (s *noiseSearch) runs(ctx context.Context, set placeSet, n int, seed uint64) ([][]evidence.Failure, error) {
	outcomes, err := s.harness.RunMany(ctx, s.binary, n, harness.RunOptions{
		Seed: seed, Quiet: true, Env: []string{fmt.Sprintf("%s=%d-%d", noiseEnv, set.first, set.last)},
	}, nil)
	if err != nil {
		return nil, fmt.Errorf("run with noise: %w", err)
	}
	var all [][]evidence.Failure
	for _, o := range outcomes {
		all = append(all, o.Failures)
	}
	return all, nil
}

// report adds a fault with the places that the failure names, and those of the
// search.
func (s *noiseSearch) report(l located) {
	f, rate := s.failures[l.signature], s.of(s.all()).rate(l.signature)
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
	for _, leaf := range l.leaves {
		r := s.of(leaf)
		where := "here"
		if leaf.first < leaf.last {
			where = fmt.Sprintf("here and at %d places beside it", leaf.last-leaf.first)
		}
		for _, p := range s.noised.places[leaf.first : leaf.last+1] {
			if r.rate(f.Signature) == 0 {
				continue
			}
			rates[p.at] = r
			list = append(list, suspect{at: p.at, does: p.kind, score: 0.8 * math.Sqrt(r.rate(f.Signature)) / float64(1+leaf.last-leaf.first),
				says: fmt.Sprintf("noise %s makes %d of %d runs fail (%.0f %% with noise everywhere)", where, r.failed[f.Signature], r.runs, 100*rate)})
		}
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

func kindName(k evidence.Kind) evidence.Fault {
	switch k {
	case evidence.Race:
		return evidence.DataRace
	case evidence.Deadlock:
		return evidence.SomeDeadlock
	case evidence.Blocked:
		return evidence.SomeWait
	}
	return evidence.SomeFailure
}
