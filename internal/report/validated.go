package report

import (
	"fmt"
	"slices"
	"strings"

	"mendel/internal/dossier"
)

// Validated counts the fixes of a repair whose validation has come to its end.
func Validated(fixes []dossier.Fix) int {
	n := 0
	for _, f := range fixes {
		if len(f.Incomplete) == 0 {
			n++
		}
	}
	return n
}

// Against are the reasons to prefer another fix to one: what is missing of its
// validation before its flags.
func Against(f *dossier.Fix) []dossier.Flag {
	if len(f.Incomplete) == 0 {
		return f.Flags
	}
	missing := dossier.Flag{Name: "validation incomplete", Words: strings.Join(f.Incomplete, "; ")}
	return slices.Insert(slices.Clone(f.Flags), 0, missing)
}

// FixCount words how many fixes there are, and how many of them are not
// validated to the end: "2 fixes, 1 of them with incomplete validation".
func FixCount(fixes []dossier.Fix) string {
	words, part := count(len(fixes), "fix"), len(fixes)-Validated(fixes)
	switch {
	case part == 0:
		return words
	case len(fixes) == 1:
		return words + ", validation incomplete"
	}
	return words + fmt.Sprintf(", %d of them with incomplete validation", part)
}
