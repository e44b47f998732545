package original

import (
	"slices"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/internal/dossier"
)

// The ranked places warm what is there, with their partners, and the faults have names.
func TestRanking(t *testing.T) {
	base := &Baseline{Kind: evidence.TestFailure}
	base.Suspects = []dossier.Suspect{
		{Fault: evidence.SenderAlone, Suspiciousness: 0.5, Place: dossier.Place{File: "hub.go", Line: 3}, Partner: &dossier.Place{File: "sub.go", Line: 4}},
		{Fault: evidence.SenderAlone, Suspiciousness: 0.25, Place: dossier.Place{File: "hub.go", Line: 9}},
	}
	want := []analysis.Suspect{{File: "hub.go", Line: 3, Degree: 0.5}, {File: "sub.go", Line: 4, Degree: 0.5 * ofPartner}, {File: "hub.go", Line: 9, Degree: 0.25}}
	if got := base.RankedPlaces(); !slices.Equal(got, want) {
		t.Errorf("suspects %+v, want %+v", got, want)
	}
	if got := base.Faults(); !slices.Equal(got, []evidence.Fault{evidence.SenderAlone}) {
		t.Errorf("faults %q", got)
	}
	base.Kind = evidence.Race
	if places, names := base.RankedPlaces(), base.Faults(); places != nil || names != nil {
		t.Errorf("of a race: %+v, %q", places, names)
	}
}
