// Package original finds out what the original program fails by, before a repair looks for fixes.
//
//	b := original.New(s, wanted, narrowing)
//	defer b.Close()
//	if err := b.Reproduce(ctx); err != nil {
//		return err // a *NotReproduced: there is nothing to repair
//	}
//	b.Print()
//	b.MergeInto(narrowing)
//	narrowing.Suspect(b.RankedPlaces()...)
//
// [New], [Baseline.Reproduce] and the fields of the [Baseline] are what the stages of a repair use; whoever triages
// packages asks [Baseline.Triage].
//
// # How
//
// Reproduction (reproduce.go) runs the tests plainly, and with noise, while the checker explores their schedules
// (checked.go, explorer.go). What they show is weighed in this order:
//
//	forced.go          a failure that noise shows seldom or not at all may show when an interleaving is forced
//	patience.go        where nothing was seen, time-outs of the program are doubted
//	standing.go        goroutines that each run leaves waiting for work do not count
//	apart.go           what has another cause is kept apart (causes.go: which failures have one)
//	leaks.go           what stays blocked in every schedule is a leak, or how the program is
//	wantedfailures.go  of what was seen stays what the user's evidence names (evidenceinput.go reads that)
//	sequential.go      whether more than one goroutine takes part in it
//
// The failing schedules are made simple and shown step by step (explain.go), and the places of the fault are ranked
// (localise.go). What was found out is stored, and restored when the run goes on (restore.go).
//
// While mutants are judged, the original is asked whether it fails as a mutant does ([Doubts]), and causes that fail
// it more seldom than the main one are left (minor.go). That alone changes a baseline that was reproduced: later
// runs and schedules keep more apart.
//
// # Words
//
// The original is the program as the user has it. A baseline is how it behaves. A noised run is one under noise. What
// stands is left blocked, and counts as no failure. What is kept apart are ways in which tests fail that mutants are
// not judged by. A cause is failures that have a test, a place or a variable in common; a minor one fails fewer runs.
// A doubt is about a test that fails in a mutant, and was not seen to fail in the original. Forced is an interleaving
// that was brought about. Evidence is what the user hands in; wanted failures are what it names.
//
// The package knows nothing of edits, searches and fixes.
package original
