package report

import (
	"time"

	"mendel/internal/dossier"
)

// PatchFile is what the patch file of a dossier's fix holds: a mail with the
// message that explains it, and the diff.
func PatchFile(f *dossier.Fix) []byte { return Mail(ChangesOf(f), f.Message, time.Time{}) }

// ChangesOf are the changes that a dossier's fix makes.
func ChangesOf(f *dossier.Fix) []Change {
	out := make([]Change, len(f.Files))
	for i, file := range f.Files {
		out[i] = Change{Path: file.Path, Before: []byte(file.Before), After: []byte(file.After)}
	}
	return out
}
