package htmlreport

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"path"
	"strconv"
	"strings"

	"mendel/analysis/evidence"
	"mendel/internal/dossier"
	"mendel/internal/report"
)

// A view is what the templates show: a dossier, and what is laid out of it.
type view struct {
	*dossier.Dossier
	Inline   inline
	State    state
	Name     string // of the package, short
	Fixes    []fix
	Parts    []fix // of some of the failures only
	Failures []failureView
	Further  []failureView // of them, what comes behind the first ones
	Partial  []partial
	Scores   *scores
	Outcomes *bars
	Times    *bars

	gridRows, gridColumns int // the most that any lanes have
}

// shownFailures is how many failures are shown at once: one race shows itself in
// many pairs of positions.
const shownFailures = 4

// A failureView is a failure of the original, laid out.
type failureView struct {
	dossier.FailureRecord
	Number int
	Trace  *lanes // nil where the fixes show it, or there is none
	Shown  bool   // by the fixes
}

// A fix is one of the dossier's, laid out.
type fix struct {
	dossier.Fix
	ID, Previous, Next string // anchors; "" where there is none
	Covers             string // the failures that it is a fix of; "": of all
	Number, Of         int
	Files              []comparison
	Pairs              []pair
	Rows               []row
	Costs              []cost
	Bound              string
	Others             []other
	PatchFile          string
	Clip               string // the same in base64, for the script to copy as it is
}

// A pair is an execution that failed, and what became of it under a fix.
type pair struct {
	Title  string
	Before *lanes
	After  *lanes // nil: not known
	Open   bool
}

// An other is a further fix, in a line.
type other struct {
	ID, Title     string
	Number, Lines int
	Flags         []dossier.Flag
}

// A partial is a mutant that is no fix.
type partial struct {
	dossier.Partial
	ID     string
	Number int
	Trace  *lanes
}

// functions are what the templates call.
var functions = template.FuncMap{
	"applies": func() string { return report.Applies },
	"base":    path.Base, "count": count, "date": date, "duration": duration, "ended": report.SearchEnded, "kind": evidence.Kind.Words,
	"number": number, "seen": report.Seen, "outcomes": outcomes, "position": position, "sentence": sentence, "stopped": stopped, "trim": strings.TrimPrefix,
	"added": added,
	"add":   func(a, b int) int { return a + b },
	"px":    func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) },
}

// added is the file that a regression test adds.
func added(t *dossier.Regression) []comparison {
	c := report.RegressionTest(t)
	if c == nil {
		return nil
	}
	return []comparison{compare(dossier.File{Path: c.Path, Before: string(c.Before), After: string(c.After)})}
}

func newView(d *dossier.Dossier) *view {
	v := &view{
		Dossier: d, State: stateOf(d), Name: shortName(d.Package),
		Scores: plotScores(d.Search), Outcomes: plotOperators(d.Search.Operators), Times: plotPhases(d.Phases),
		gridRows: 2, gridColumns: 2,
	}
	for i, f := range d.Failures {
		n := failureView{FailureRecord: f, Number: i + 1, Shown: f.Trace != nil && len(d.Fixes) > 0}
		if f.Trace != nil && !n.Shown {
			n.Trace = v.lanes("An interleaving that fails", f.Trace, &key{})
		}
		v.Failures = append(v.Failures, n)
	}
	if len(v.Failures) > shownFailures+1 {
		v.Failures, v.Further = v.Failures[:shownFailures], v.Failures[shownFailures:]
	}
	for i := range d.Fixes {
		v.Fixes = append(v.Fixes, v.fix(i))
	}
	for i := range d.PartialFixes {
		f := v.lay(&d.PartialFixes[i])
		f.ID, f.Covers = fmt.Sprintf("part-%d", i+1), report.Covered(d, &d.PartialFixes[i])
		v.Parts = append(v.Parts, f)
	}
	for i, p := range d.Partial {
		n := partial{Partial: p, ID: fmt.Sprintf("partial-%d", i+1), Number: i + 1}
		if p.Trace != nil {
			n.Trace = v.lanes("What still fails", p.Trace, &key{})
		}
		v.Partial = append(v.Partial, n)
	}
	return v
}

// shortName is the last element of an import path, or the two last ones where
// the last is a major version.
func shortName(pkg string) string {
	base := path.Base(pkg)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		return path.Join(path.Base(path.Dir(pkg)), base)
	}
	return base
}

// lanes lays out an execution, and takes down how large it is.
func (v *view) lanes(title string, t *dossier.Trace, k *key) *lanes {
	l := layOut(title, t, k)
	v.gridRows, v.gridColumns = max(v.gridRows, l.Last+1), max(v.gridColumns, l.Columns+1)
	return l
}

func anchor(i int) string { return fmt.Sprintf("fix-%d", i+1) }

// lay lays out what a fix is, whatever others there are.
func (v *view) lay(d *dossier.Fix) fix {
	f := fix{
		Fix: *d, Rows: evidenceRows(v.Dossier, d.Evidence), Costs: costs(d.Evidence),
		Bound: bound(d.Evidence), PatchFile: string(report.PatchFile(d)),
	}
	f.Flags = report.Against(d)
	f.Clip = base64.StdEncoding.EncodeToString([]byte(f.PatchFile))
	for _, c := range d.Files {
		f.Files = append(f.Files, compare(c))
	}
	annotate(f.Files, f.Edits)
	return f
}

func (v *view) fix(i int) fix {
	f := v.lay(&v.Dossier.Fixes[i])
	f.ID, f.Number, f.Of = anchor(i), i+1, len(v.Dossier.Fixes)
	if i > 0 {
		f.Previous = anchor(i - 1)
	}
	if i+1 < f.Of {
		f.Next = anchor(i + 1)
	}
	for j, g := range v.Dossier.Failures {
		if g.Trace == nil {
			continue
		}
		k := &key{}
		p := pair{
			Title:  pairTitle(g),
			Before: v.lanes("Before", g.Trace, k), Open: len(f.Pairs) == 0,
		}
		if j < len(f.Replays) && f.Replays[j] != nil {
			p.After = v.lanes("After, guided along the same schedule", f.Replays[j], k)
		}
		f.Pairs = append(f.Pairs, p)
	}
	for j, o := range v.Dossier.Fixes {
		if j != i {
			f.Others = append(f.Others, inShort(o, j))
		}
	}
	return f
}

// inShort describes a fix in a line.
func inShort(f dossier.Fix, i int) other {
	return other{ID: anchor(i), Title: f.Title, Number: i + 1, Lines: f.ChangedLines, Flags: report.Against(&f)}
}

// pairTitle names the failure that an execution shows.
func pairTitle(f dossier.FailureRecord) string {
	s := strings.TrimSuffix(sentence(f.Kind.Words()), ".")
	if f.Trace.Test != "" {
		s += " in " + f.Trace.Test
	}
	return s
}
