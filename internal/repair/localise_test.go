package repair

import (
	"slices"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/internal/dossier"
)

// The ranked places warm what is there, with their partners, and the faults have names.
func TestRanking(t *testing.T) {
	base := &baseline{kind: evidence.TestFailure}
	base.suspects = []dossier.Suspect{
		{Fault: evidence.SenderAlone, Suspiciousness: 0.5, Place: dossier.Place{File: "hub.go", Line: 3}, Partner: &dossier.Place{File: "sub.go", Line: 4}},
		{Fault: evidence.SenderAlone, Suspiciousness: 0.25, Place: dossier.Place{File: "hub.go", Line: 9}},
	}
	want := []analysis.Suspect{{File: "hub.go", Line: 3, Degree: 0.5}, {File: "sub.go", Line: 4, Degree: 0.5 * ofPartner}, {File: "hub.go", Line: 9, Degree: 0.25}}
	if got := base.rankedPlaces(); !slices.Equal(got, want) {
		t.Errorf("suspects %+v, want %+v", got, want)
	}
	if got := base.faults(); !slices.Equal(got, []evidence.Fault{evidence.SenderAlone}) {
		t.Errorf("faults %q", got)
	}
	base.kind = evidence.Race
	if places, names := base.rankedPlaces(), base.faults(); places != nil || names != nil {
		t.Errorf("of a race: %+v, %q", places, names)
	}
}
