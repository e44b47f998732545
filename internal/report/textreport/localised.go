package textreport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"mendel/internal/localize"
)

// LocalisedSARIF writes what a localisation has found in the Static Analysis Results
// Interchange Format, version 2.1.0: a result for each fault, at its most suspicious
// place. The others are related locations. Files are named relative to the module.
func LocalisedSARIF(w io.Writer, r *localize.Result) error {
	run := sarif.NewRun().WithTool(sarif.NewTool().WithDriver(sarif.NewToolComponent().WithName("Mendel")))
	run.WithOriginalUriBaseIds(map[string]sarif.ArtifactLocation{rootID: *sarif.NewArtifactLocation().WithURI(directoryURI(r.Module))})
	var known []string
	for i, f := range r.Faults {
		if !slices.Contains(known, f.Name) {
			known = append(known, f.Name)
			run.AddRule(faultID(f.Name)).WithShortDescription(sarif.NewMultiformatMessageString().WithText(f.Name))
		}
		res := sarif.NewRuleResult(faultID(f.Name)).WithLevel("error").WithRuleIndex(slices.Index(known, f.Name))
		message := f.Name
		for _, p := range r.Places {
			if p.Fault != i {
				continue
			}
			at := sarif.NewLocation().WithPhysicalLocation(sarif.NewPhysicalLocation().
				WithArtifactLocation(sarif.NewArtifactLocation().WithURI(p.File).WithURIBaseID(rootID)).
				WithRegion(sarif.NewRegion().WithStartLine(p.Line))).WithMessage(sarif.NewMessage().WithText(p.Says))
			if len(res.Locations) == 0 {
				message += ": " + p.Says
				res.AddLocation(at)
			} else {
				res.AddRelatedLocation(at.WithID(len(res.RelatedLocations) + 1))
			}
		}
		for _, e := range f.Failures {
			first, _, _ := strings.Cut(e.Message, "\n")
			message += ". " + e.Test + ": " + first
		}
		run.AddResult(res.WithMessage(sarif.NewMessage().WithText(message)))
	}
	log := sarif.NewReport()
	log.AddRun(run)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(log); err != nil {
		return fmt.Errorf("encode the SARIF log: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// faultID is the identifier of the rule for faults of a name.
func faultID(name string) string { return "mendel/fault/" + strings.ReplaceAll(name, " ", "-") }
