package textreport

import (
	"bytes"
	"encoding/json"
	"testing"

	"mendel/analysis/evidence"
	"mendel/internal/diagnosis"
	"mendel/internal/localize"
)

// Each fault is a result at its first place; the others are related to it.
func TestLocalisedSARIF(t *testing.T) {
	r := &localize.Result{
		Module:    "/bank",
		Diagnoses: []diagnosis.Finding{{Fault: "missing lock", Certainty: diagnosis.Likely, Says: "a.go:3 writes n without mu"}},
		Faults:    []localize.Fault{{Name: "lost update", Failures: []evidence.Failure{{Kind: evidence.Race, Test: "TestRing", Message: "data race"}}}},
		Places: []localize.Place{
			{Rank: 1, File: "a.go", Line: 3, Says: "writes n"}, {Rank: 2, File: "b.go", Line: 4, Says: "reads n"},
		},
	}
	var b bytes.Buffer
	if err := LocalisedSARIF(&b, r); err != nil {
		t.Fatal(err)
	}
	valid(t, b.Bytes())
	type location struct {
		PhysicalLocation struct {
			ArtifactLocation struct{ URI string }
			Region           struct{ StartLine int }
		}
	}
	var got struct {
		Version string
		Runs    []struct {
			Results []struct {
				RuleID                      string
				Message                     struct{ Text string }
				Locations, RelatedLocations []location
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Version != "2.1.0" || len(got.Runs) != 1 || len(got.Runs[0].Results) != 1 {
		t.Fatalf("%s", b.Bytes())
	}
	res := got.Runs[0].Results[0]
	if res.RuleID != "mendel/fault/lost-update" || res.Message.Text != "lost update: writes n. TestRing: data race. Diagnosed: missing lock (likely): a.go:3 writes n without mu" {
		t.Errorf("%s: %s", res.RuleID, res.Message.Text)
	}
	if len(res.Locations) != 1 || len(res.RelatedLocations) != 1 {
		t.Fatalf("%d and %d locations", len(res.Locations), len(res.RelatedLocations))
	}
	for i, l := range append(res.Locations, res.RelatedLocations...) {
		if p := l.PhysicalLocation; p.ArtifactLocation.URI != r.Places[i].File || p.Region.StartLine != r.Places[i].Line {
			t.Errorf("location %d: %+v", i, p)
		}
	}
}
