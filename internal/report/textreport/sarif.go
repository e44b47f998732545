package textreport

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"mendel/analysis/evidence"
	"mendel/internal/dossier"
	"mendel/internal/report"
	"mendel/internal/report/sarif"
)

// rootID stands for the repository's directory in names of files.
const rootID = "%SRCROOT%"

// fingerprint is the name under which a failure's signature stands, hashed. It
// ends in a version, to be raised when signatures change.
const fingerprint = "mendelFailureSignature/v1"

// SARIF writes a log in the Static Analysis Results Interchange Format, version
// 2.1.0: one run with a result for each failure. A result has the failure's
// places, its execution as a code flow of one thread flow for each goroutine,
// and as fixes the changes of each fix that covers it: applied, they give what the
// patch gives.
//
// Root is the directory of the repository, absolute; files are named relative to
// it where the module lies below, else relative to the module.
func SARIF(w io.Writer, root string, dossiers ...*dossier.Dossier) error {
	run := sarif.Run{Tool: sarif.Named("Mendel"), ColumnKind: sarif.UTF16}
	run.Tool.Driver.Rules = allRules()
	if base := rootOf(root, dossiers); base != "" {
		run.OriginalURIBaseIDs = map[string]sarif.ArtifactLocation{rootID: {URI: directoryURI(base)}}
	}
	for _, d := range dossiers {
		l := sarifLog{d: d, under: below(root, d.Dir)}
		for i := range d.Failures {
			run.Results = append(run.Results, l.result(i))
		}
	}
	return sarif.New(run).Write(w)
}

// allRules are the kinds of failures as SARIF has them.
func allRules() []sarif.Rule {
	var all []sarif.Rule
	for _, row := range evidence.Kinds {
		all = append(all, sarif.Rule{
			ID: ruleID(row.Kind), Name: row.Rule, ShortDescription: &sarif.Text{Text: capitalKind(row.Kind)},
			FullDescription: &sarif.Text{Text: row.Doc}, Help: &sarif.Text{Text: row.Help},
			DefaultConfiguration: &sarif.Configuration{Level: "error"},
		})
	}
	return all
}

func ruleID(k evidence.Kind) string { return "mendel/" + string(k) }

func capitalKind(k evidence.Kind) string { return string(capital(prose(k.Words()))) }

// rootOf is the directory that names of files are relative to; "" if it is not
// known, or not the same for all.
func rootOf(root string, dossiers []*dossier.Dossier) string {
	base := ""
	for _, d := range dossiers {
		dir := d.Dir
		if below(root, d.Dir) != "" {
			dir = root
		}
		if base != "" && dir != base {
			return ""
		}
		base = dir
	}
	return base
}

// directoryURI is the URI of a directory, which has to end with a slash.
func directoryURI(dir string) string {
	p := strings.TrimSuffix(filepath.ToSlash(dir), "/") + "/"
	if !strings.HasPrefix(p, "/") { // C:/
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// A sarifLog makes the results of one dossier.
type sarifLog struct {
	d     *dossier.Dossier
	under string // module's directory below the repository's
}

// result is that of one failure.
func (l sarifLog) result(i int) sarif.Result {
	f := l.d.Failures[i]
	r := sarif.Result{RuleID: ruleID(f.Kind), Level: "error", Message: *text(l.message(i))}
	if f.Kind.Known() {
		k := f.Kind.Rank() // [allRules] has the kinds in this order
		r.RuleIndex = &k
	}
	first, others := firstPlace(f.Places)
	if first.File != "" {
		r.Locations = append(r.Locations, l.location(first.File, first.Line, place(first)))
	}
	for k, p := range others {
		if p.File != "" {
			at := l.location(p.File, p.Line, place(p))
			at.ID = k + 1
			r.RelatedLocations = append(r.RelatedLocations, at)
		}
	}
	if f.Trace != nil {
		if flow := l.flow(f.Trace); len(flow.ThreadFlows) > 0 {
			r.CodeFlows = append(r.CodeFlows, flow)
		}
	}
	for _, f := range report.FixesOf(l.d, i) {
		if fix := l.fix(f); len(fix.ArtifactChanges) > 0 {
			r.Fixes = append(r.Fixes, fix)
		}
	}
	sum := sha256.Sum256([]byte(orElse(f.Signature, f.Message)))
	r.PartialFingerprints = map[string]string{fingerprint: hex.EncodeToString(sum[:])}
	return r
}

// message describes a failure with what became of it.
func (l sarifLog) message(i int) prose {
	f := l.d.Failures[i]
	s := failureTitle(f) + ". " + plain(f.Message) + " " + seen(f)
	switch {
	case f.Diagnosed != "":
		s += " Diagnosed: " + plain(f.Diagnosed)
	case len(l.d.Diagnoses) > 0:
		d := l.d.Diagnoses[0]
		s += say(" Diagnosed: %s (%s): ", string(d.Fault), d.Certainty) + plain(d.Says)
	}
	switch fixes := report.FixesOf(l.d, i); {
	case len(fixes) > 0 && len(l.d.Fixes) == 0:
		s += say(" Mendel has a fix for this failure, but none for all failures: %s.", fixes[0].Title)
	case len(fixes) > 0:
		s += say(" Mendel has %s; the best: %s.", report.FixCount(l.d.Fixes), fixes[0].Title)
	case l.d.Reason != "":
		s += say(" Mendel has no fix: %s", plain(l.d.Reason))
	}
	return s
}

// text is prose as a message.
func text(p prose) *sarif.Text { return &sarif.Text{Text: bare(p)} }

// location is a line of a file with what there is to say about it.
func (l sarifLog) location(file string, line int, says prose) sarif.Location {
	physical := &sarif.PhysicalLocation{ArtifactLocation: l.artifact(file)}
	if line > 0 {
		physical.Region = &sarif.Region{StartLine: line}
	}
	at := sarif.Location{PhysicalLocation: physical}
	if says != "" {
		at.Message = text(says)
	}
	return at
}

// artifact names a file.
func (l sarifLog) artifact(file string) sarif.ArtifactLocation {
	if path.IsAbs(file) || filepath.IsAbs(file) {
		return sarif.ArtifactLocation{URI: strings.TrimSuffix(directoryURI(file), "/")}
	}
	name := (&url.URL{Path: path.Join(l.under, file)}).String()
	return sarif.ArtifactLocation{URI: name, URIBaseID: rootID}
}

// flow is an execution: a thread flow for each goroutine that has a step with a
// place, its steps numbered in the order of all.
func (l sarifLog) flow(t *dossier.Trace) sarif.CodeFlow {
	flow := sarif.CodeFlow{Message: text(say("%s: %s", t.Test, plain(t.Ending)))}
	for g, name := range t.Goroutines {
		thread := sarif.ThreadFlow{ID: report.OneLine(name)}
		for i, r := range t.Rows {
			if r.G != g || r.File == "" {
				continue
			}
			thread.Locations = append(thread.Locations, sarif.ThreadFlowLocation{
				Location: l.location(r.File, r.Line, step(t, r)), ExecutionOrder: i, Importance: importance(r),
			})
		}
		if len(thread.Locations) > 0 {
			flow.ThreadFlows = append(flow.ThreadFlows, thread)
		}
	}
	return flow
}

// step says what a goroutine does in a row.
func step(t *dossier.Trace, r dossier.Row) prose {
	s := say("%s", orElse(r.Op, r.Text))
	if r.Op != "" && r.Text != "" {
		s += say(": %s", code(r.Text))
	}
	if r.Starts > 0 {
		s += say(" (starts %s)", code(t.Goroutines[r.Starts]))
	}
	if r.Mark == dossier.Stuck {
		s += " (blocked for ever)"
	}
	return s
}

// importance is how much a step explains, in SARIF's words.
func importance(r dossier.Row) string {
	switch r.Mark {
	case dossier.Conflict, dossier.Stuck:
		return "essential"
	case dossier.Switched:
		return "important"
	}
	if r.Starts > 0 {
		return "important"
	}
	return "unimportant"
}
