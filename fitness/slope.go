package fitness

// The slope of a landscape whose pass rate is flat. Kelk 2015 has none: there a
// mutant that fails in every run is worth nothing, whatever else it mends.
//
// Programs have several races at once, and as long as one is left every run
// fails. So mutants that fail equally often are told apart by what a failed run
// shows: how many failures, and how far it came before them.

import (
	"math"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/fitness/noise"
)

const (
	fewerShare = 0.9 // of a slope: that there are fewer failures; the rest, that they come later. Guessed

	// A failed run came farther than the original's, or less far, when it took so
	// many times its steps or processor time. Both vary from run to run. Guessed.
	farther = 2
)

// Slope tells how near a mutant is to passing among those with its score: from 0
// to below 1, the higher the nearer. The original itself has 0.5. It falls with
// the failures that a failed run shows and, much less, rises with how far such
// runs come before they fail. It is 0 for a mutant that was not run, and for one
// whose runs are cut off, by a panic or because nothing goes on, where the
// original's are not: what else would have failed is not known then.
func (r Result) Slope(original Result) float64 {
	if r.Runs == 0 || r.Refused != "" || r.Score >= FullScore || r.cutOff(original) {
		return 0
	}
	n, before := r.distinct(), original.distinct()
	return fewerShare*before/(before+n) + (1-fewerShare)*r.lateness(original)
}

// distinct is how many failures a failed run shows, at least 1. It is a whole
// number: means of a few runs differ by chance.
func (r Result) distinct() float64 {
	n := math.Round(r.Distinct)
	if n == 0 {
		n = float64(len(r.Samples)) // scored by a Mendel that did not count them
	}
	return max(n, 1)
}

// cutOff reports whether runs end before their time in a way in which the
// original's do not.
func (r Result) cutOff(original Result) bool {
	for _, kind := range []evidence.Kind{evidence.Deadlock, evidence.Timeout, evidence.Panic} {
		if r.shows(kind) && !original.shows(kind) {
			return true
		}
	}
	return false
}

// shows reports whether a run had a failure of a kind.
func (r Result) shows(kind evidence.Kind) bool {
	for _, f := range r.Samples {
		if f.Kind == kind {
			return true
		}
	}
	return r.Failures[kind] > 0
}

// lateness is 1 if failed runs come clearly farther than the original's, 0 if
// they come less far, and in between otherwise.
func (r Result) lateness(original Result) float64 {
	if r.Reached == 0 || original.Reached == 0 || (r.Verdict == "") != (original.Verdict == "") {
		return 0.5 // not known, or in other units
	}
	switch ratio := r.Reached / original.Reached; {
	case ratio >= farther:
		return 1
	case ratio <= 1./farther:
		return 0
	}
	return 0.5
}

// measureFailed sets what the failed runs among outcomes showed.
func (r *Result) measureFailed(outcomes []noise.Outcome) {
	failed, ended, shown := 0, 0, 0
	for _, o := range outcomes {
		if o.Pass || len(o.Failures) == 0 {
			continue
		}
		failed++
		signatures := make(map[string]bool)
		for _, f := range o.Failures {
			signatures[f.Signature] = true
		}
		shown += len(signatures)
		// A race does not end a run, and a hang takes as long as it may. Processor
		// time, because elapsed time is rather that of a busy machine.
		if kind := o.Kind(); !o.Hung() && o.CPU > 0 && (kind == evidence.Panic || kind == evidence.TestFailure) {
			ended++
			r.Reached += o.CPU.Seconds()
		}
	}
	if failed > 0 {
		r.Distinct = float64(shown) / float64(failed)
	}
	if ended > 0 {
		r.Reached /= float64(ended)
	}
}

// measureReport sets what the executions of a report showed. The checker ends
// an execution at its first failure, so all of them are counted together.
func (r *Result) measureReport(report *checker.Report) {
	if report.Verdict != explore.Failed {
		return
	}
	r.Distinct = float64(len(report.Failures))
	if hung := report.Kinds[sched.Timeout] + report.Kinds[string(evidence.Deadlock)]; hung == 0 && report.Schedules > 0 {
		r.Reached = float64(report.Steps) / float64(report.Schedules)
	}
}
