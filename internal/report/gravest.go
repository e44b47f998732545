package report

import "mendel/internal/dossier"

// Gravest is the failure that a report names first: of several that are equally
// grave the first. It is nil without failures.
func Gravest(failures []dossier.FailureRecord) *dossier.FailureRecord {
	var found *dossier.FailureRecord
	for i := range failures {
		if found == nil || failures[i].Kind.Gravity() > found.Kind.Gravity() {
			found = &failures[i]
		}
	}
	return found
}
