package report

import (
	"fmt"

	"mendel/internal/dossier"
)

// A PackageOutcome is a package of a repair of several, as their common report
// lists it.
type PackageOutcome struct {
	Name     string           // import path
	Fixed    bool             // it failed, and there is a fix
	Status   string           // as in series.json; "": it has not come to an end
	Begun    bool             // its repair has started
	Reason   string           // in words, when there is no fix
	Failures []string         // messages, most informative first
	Patch    string           // file below the common directory, with slashes; "" if there is none
	Report   string           // the same of its own page
	Within   string           // another package whose fix has all of this one's and more; "" if there is none
	Seconds  float64          // that its repair has taken
	Repair   *dossier.Dossier // nil: it has not come to an end
}

// State is the state of the package in words.
func (p PackageOutcome) State() string { return StateWords(p.Status, p.Begun) }

// Headline is the most informative failure of a package, or why there is none, or no fix.
func (p PackageOutcome) Headline() string {
	switch n := len(p.Failures); n {
	case 0:
		return p.Reason
	case 1:
		return p.Failures[0]
	default:
		return fmt.Sprintf("%s, and %d more", p.Failures[0], n-1)
	}
}

// A CombinedPatch is one patch of the fixes of several packages of a module, as their
// common report offers it.
type CombinedPatch struct {
	Dir     string // of go.mod
	Patch   string // file below the common directory, with slashes; "": there is none
	Problem string // why there is none, or not of all fixes; "": none
}

// Applies is the sentence that stands beside the command that applies a combined patch.
const Applies = "Each fix was validated by itself, and together they build. Run the tests with all of them."
