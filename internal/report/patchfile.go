package report

import (
	"strings"
	"time"

	"mendel/internal/dossier"
)

// PatchFile is what the patch file of a dossier's fix holds: a mail with the
// message that explains it, and the diff.
func PatchFile(f *dossier.Fix) []byte { return Mail(ChangesOf(f), f.Message, time.Time{}) }

// NewFiles are the changes that add files, or replace some that are there.
func NewFiles(files []dossier.File) []Change {
	var out []Change
	for _, f := range files {
		c := Change{Path: f.Path, After: []byte(f.After)}
		if f.Before != "" {
			c.Before = []byte(f.Before)
		}
		out = append(out, c)
	}
	return out
}

// ChangesOf are the changes that a dossier's fix makes.
func ChangesOf(f *dossier.Fix) []Change {
	out := make([]Change, len(f.Files))
	for i, file := range f.Files {
		out[i] = Change{Path: file.Path, Before: []byte(file.Before), After: []byte(file.After)}
	}
	return out
}

// RegressionTest is the change that adds a regression test, without what it needs; nil if there is none to add.
func RegressionTest(t *dossier.Regression) *Change {
	for _, c := range NewFiles(t.Files) {
		if strings.HasSuffix(c.Path, "_test.go") {
			return &c
		}
	}
	return nil
}
