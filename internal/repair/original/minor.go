package original

import (
	"maps"
	"slices"

	"mendel/analysis/evidence"
)

// Tests of a package of real size may fail by two causes, of which one shows in each run and is what somebody wants to
// be mended, and the other one now and then. A mutant that mends the first one wholly is a fix of it, whatever becomes
// of the second.

const (
	// minorFactor is how many times as often as a minor cause the main one fails runs. Guessed.
	minorFactor = 2
	// mainShare is the part of the runs that a main cause fails which shows nearly always; minorShare is the part
	// that one beside it fails at most which is minor. Guessed.
	mainShare, minorShare = 0.9, 2. / 3
)

// A minor cause is one that fails runs of the original more seldom than the main one, with which it has nothing in common.
type minor struct {
	failures []evidence.Failure
	// keys are what its failures have in common with others, as [group] has them; elsewhere are those of the other causes.
	keys, elsewhere map[any]bool
}

// minorCauses are those of the original; none where no run fails.
func (b *Baseline) minorCauses() (all []minor) {
	groups := b.groups()
	rates, most := make([]float64, len(groups)), 0.
	for i, g := range groups {
		if !g.late {
			rates[i] = b.rate(g)
			most = max(most, rates[i])
		}
	}
	for i, g := range groups {
		seldom := minorFactor*rates[i] <= most || most >= mainShare && rates[i] <= minorShare
		if most == 0 || !seldom {
			continue
		}
		m := minor{keys: g.keys, elsewhere: map[any]bool{}}
		for k, other := range groups {
			if k != i {
				maps.Copy(m.elsewhere, other.keys)
			}
		}
		for _, at := range g.failures {
			m.failures = append(m.failures, b.Failures[at].Failure)
		}
		if !slices.ContainsFunc(m.failures, func(f evidence.Failure) bool { return f.Test == "" }) {
			all = append(all, m)
		}
	}
	return all
}

// seldomShare is the part of the noised runs that fail at most where noise may be why. Guessed.
const seldomShare = 0.1

// FailsSeldom reports whether all failures are assertions of tests that depend on time, and few runs show them.
func (b *Baseline) FailsSeldom() bool {
	groups := b.groups()
	return len(groups) > 0 && !slices.ContainsFunc(groups, func(g group) bool { return !g.late || b.rate(g) > seldomShare })
}

// rate is the part of the noised runs that a cause fails.
func (b *Baseline) rate(g group) float64 {
	runs := b.Counted()
	failed := 0
	for _, o := range runs {
		if slices.ContainsFunc(o.Failures, func(f evidence.Failure) bool {
			return slices.ContainsFunc(g.failures, func(at int) bool { return b.Failures[at].Signature == f.Signature })
		}) {
			failed++
		}
	}
	return float64(failed) / float64(max(1, len(runs)))
}

// explains reports whether a failure of a mutant is one of a cause: a test fails in a like way, and it is the same test
// or one of what else the failure has to do with is the same, and belongs to no other cause. places are what it has to
// do with, as [Baseline.placesOf] has them. That goroutines are deadlocked, are left blocked and reach a limit of time is one way.
func (m minor) explains(f evidence.Failure, places []any) bool {
	if f.Test == "" || m.elsewhere["test "+topLevel(f.Test)] {
		return false
	}
	own := slices.ContainsFunc(places, func(key any) bool { return m.keys[key] }) &&
		!slices.ContainsFunc(places, func(key any) bool { return m.elsewhere[key] })
	return slices.ContainsFunc(m.failures, func(known evidence.Failure) bool {
		alike := known.Kind == f.Kind || hangs(known.Kind) && hangs(f.Kind)
		return alike && (own || topLevel(known.Test) == topLevel(f.Test))
	})
}

// hangs reports whether a failure of a kind is that something waits.
func hangs(k evidence.Kind) bool {
	return k == evidence.Deadlock || k == evidence.Blocked || k == evidence.Timeout
}

// ways are how tests fail by a cause, one more failure of it among them. Where one may end or hang the process the
// test is left out of runs.
func (m minor) ways(also evidence.Failure) (all []evidence.Apart) {
	failures := append(slices.Clone(m.failures), also)
	for _, f := range failures {
		skip := slices.ContainsFunc(failures, func(other evidence.Failure) bool {
			return topLevel(other.Test) == topLevel(f.Test) && (hangs(other.Kind) || other.Kind == evidence.Panic)
		})
		way := evidence.Apart{Test: topLevel(f.Test), Kind: f.Kind, Skip: skip}
		if !slices.Contains(all, way) {
			all = append(all, way)
		}
	}
	return all
}
