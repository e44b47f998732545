package report

import "mendel/internal/dossier"

// PatchFile is what the patch file of a dossier's fix holds: the message that
// explains it, then the diff.
func PatchFile(f *dossier.Fix) []byte { return Patch(ChangesOf(f), f.Message) }

// ChangesOf are the changes that a dossier's fix makes.
func ChangesOf(f *dossier.Fix) []Change {
	out := make([]Change, len(f.Files))
	for i, file := range f.Files {
		out[i] = Change{Path: file.Path, Before: []byte(file.Before), After: []byte(file.After)}
	}
	return out
}
