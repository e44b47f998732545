package report

import (
	"slices"

	"mendel/analysis/evidence"
	"mendel/internal/dossier"
)

// gravity are the kinds of failures, the gravest first: what ends or stops a program
// before what makes it wrong, and that before what only a test has noticed.
var gravity = []evidence.Kind{evidence.Panic, evidence.Deadlock, evidence.Race, evidence.Blocked, evidence.Timeout, evidence.TestFailure}

// Gravest is the failure that a report names first: of several that are equally
// grave the first. It is nil without failures.
func Gravest(failures []dossier.FailureRecord) *dossier.FailureRecord {
	var found *dossier.FailureRecord
	rank := func(k evidence.Kind) int {
		if i := slices.Index(gravity, k); i >= 0 {
			return i
		}
		return len(gravity)
	}
	for i := range failures {
		if found == nil || rank(failures[i].Kind) < rank(found.Kind) {
			found = &failures[i]
		}
	}
	return found
}
