package report

import (
	"slices"

	"mendel/internal/dossier"
)

// FixesOf are the fixes that cover a failure of a dossier, by its index: those of
// all failures, best first, or those of some that this one is among.
func FixesOf(d *dossier.Dossier, failure int) []*dossier.Fix {
	var all []*dossier.Fix
	for i := range d.Fixes {
		all = append(all, &d.Fixes[i])
	}
	for i := range d.PartialFixes {
		if f := &d.PartialFixes[i]; slices.Contains(f.Mends, failure) {
			all = append(all, f)
		}
	}
	return all
}

// Covered names the failures that a partial fix covers: "data race in TestA and
// deadlock in TestB".
func Covered(d *dossier.Dossier, f *dossier.Fix) string {
	var names []string
	for _, i := range f.Mends {
		name := d.Failures[i].Kind.Words()
		if test := d.Failures[i].Test; test != "" {
			name += " in " + test
		}
		if name = oneLine(name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return list(names)
}
