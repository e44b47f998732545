package textreport

import (
	"io"
	"net/url"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/internal/localize"
	"mendel/internal/report/sarif"
)

// LocalisedSARIF writes what a localisation has found in the Static Analysis Results
// Interchange Format, version 2.1.0: a result for each fault, at its most suspicious
// place. The others are related locations. Files are named relative to the module.
func LocalisedSARIF(w io.Writer, r *localize.Result) error {
	run := sarif.Run{
		Tool:               sarif.Named("Mendel"),
		OriginalURIBaseIDs: map[string]sarif.ArtifactLocation{rootID: {URI: directoryURI(r.Module)}},
	}
	var known []evidence.Fault
	for i, f := range r.Faults {
		if !slices.Contains(known, f.Name) {
			known = append(known, f.Name)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarif.Rule{ID: faultID(f.Name), ShortDescription: &sarif.Text{Text: string(f.Name)}})
		}
		run.Results = append(run.Results, localisedResult(r, i, slices.Index(known, f.Name)))
	}
	return sarif.New(run).Write(w)
}

// localisedResult is that of one fault, by its index and that of its rule.
func localisedResult(r *localize.Result, fault, rule int) sarif.Result {
	f := r.Faults[fault]
	res := sarif.Result{RuleID: faultID(f.Name), RuleIndex: &rule, Level: "error"}
	message := string(f.Name)
	for _, p := range r.Places {
		if p.Fault != fault {
			continue
		}
		name := (&url.URL{Path: p.File}).String()
		at := sarif.Location{
			PhysicalLocation: &sarif.PhysicalLocation{ArtifactLocation: sarif.ArtifactLocation{URI: name, URIBaseID: rootID}},
			Message:          &sarif.Text{Text: p.Says},
		}
		if p.Line > 0 {
			at.PhysicalLocation.Region = &sarif.Region{StartLine: p.Line}
		}
		if len(res.Locations) == 0 {
			message += ": " + p.Says
			res.Locations = append(res.Locations, at)
		} else {
			at.ID = len(res.RelatedLocations) + 1
			res.RelatedLocations = append(res.RelatedLocations, at)
		}
	}
	for _, e := range f.Failures {
		first, _, _ := strings.Cut(e.Message, "\n")
		message += ". " + e.Test + ": " + first
	}
	if fault == 0 && len(r.Diagnoses) > 0 {
		message += ". Diagnosed: " + r.Diagnoses[0].String()
	}
	res.Message = sarif.Text{Text: message}
	return res
}

// faultID is the identifier of the rule for a fault.
func faultID(f evidence.Fault) string {
	return "mendel/fault/" + strings.ReplaceAll(string(f), " ", "-")
}
