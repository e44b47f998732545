package htmlreport

import (
	"fmt"
	"io"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"mendel/internal/dossier"
	"mendel/internal/report"
)

// A Series is a repair of several packages.
type Series struct {
	Status   string // as in series.json
	Module   string // directory
	Out      string // that Series writes below, as a reader in Module names it, with slashes
	Patterns []string
	Seed     uint64
	Seconds  float64
	Budget   float64 // seconds
	Packages []report.PackageOutcome
	Combined []report.CombinedPatch
	Untested []string // packages without tests
	Notes    []string
}

// SeriesHTML writes what became of several packages as one self-contained page,
// which links to those of each.
func SeriesHTML(w io.Writer, s Series) error {
	v := &seriesView{Series: s, State: s.state(), Name: shortName(s.modulePath()), Apply: s.apply()}
	for i, p := range s.Packages {
		v.Packages = append(v.Packages, viewPackage(p, i))
	}
	var err error
	if v.Inline, err = newInline(0, 0); err != nil { // nothing is drawn
		return err
	}
	return write(w, "series.tmpl.html", v)
}

// A seriesView is what the template shows.
type seriesView struct {
	Series
	Inline   inline
	State    state
	Name     string
	Packages []packageView
	Apply    []application
}

// A packageView is a package, laid out.
type packageView struct {
	report.PackageOutcome
	ID            string
	State         state
	Failure       *dossier.FailureRecord // the most informative; nil: Message is all that is known
	Message       string
	More          int          // failures
	Fix           *dossier.Fix // the best; nil: there is none
	Report, Patch string       // as links
}

// An application is a command that applies the fixes of a module, all at once;
// without one Problem says why there is none.
type application struct {
	Dir, Command, Problem string
	Together              bool // several fixes
}

func viewPackage(p report.PackageOutcome, i int) packageView {
	v := packageView{
		PackageOutcome: p, ID: fmt.Sprintf("package-%d", i+1), State: packageState(p.Status, p.Begun),
		Report: link(p.Report), Patch: link(p.Patch),
	}
	if len(p.Failures) > 0 {
		v.Message, v.More = p.Failures[0], len(p.Failures)-1
	}
	if d := p.Repair; d != nil && len(d.Failures) > 0 {
		v.Failure, v.More = &d.Failures[0], len(d.Failures)-1
	}
	if d := p.Repair; d != nil && len(d.Fixes) > 0 {
		v.Fix = &d.Fixes[0]
	}
	return v
}

// link is a file below the page as its address.
func link(file string) string {
	if file == "" {
		return ""
	}
	return (&url.URL{Path: file}).String()
}

// modulePath is the module's path or, where no dossier has it, the name of
// its directory.
func (s Series) modulePath() string {
	for _, p := range s.Packages {
		if p.Repair != nil && p.Repair.Module != "" {
			return p.Repair.Module
		}
	}
	return strings.ReplaceAll(s.Module, `\`, "/")
}

// state is how the series ended.
func (s Series) state() state {
	failed, fixed, untried := 0, 0, 0
	for _, p := range s.Packages {
		if p.Fixed || len(p.Failures) > 0 {
			failed++
		}
		if p.Fixed {
			fixed++
		}
		if p.Status == "error" {
			untried++
		}
	}
	st := packageState(s.Status, true)
	mended := "none has"
	if fixed > 0 {
		mended = plural(fixed, "has", "have")
	}
	st.Lead = fmt.Sprintf("%s of %s failed, %s a validated fix.", number(failed), count(len(s.Packages), "package"), mended)
	if failed == 0 {
		st.Lead = fmt.Sprintf("No failure was seen in %s.", count(len(s.Packages), "package"))
	}
	if untried > 0 {
		st.Lead += " " + count(untried, "package") + " could not be tried."
	}
	return st
}

// apply is how the best fixes are applied, all of a module at once: by a patch of
// all or, where there is one only, its own.
func (s Series) apply() []application {
	var all []application
	for _, c := range s.Combined {
		a := application{Dir: c.Dir, Problem: c.Problem, Together: true}
		if c.Patch != "" {
			a.Command = s.command(c.Patch)
		}
		all = append(all, a)
	}
	for _, p := range s.Packages {
		if !p.Fixed || p.Patch == "" || p.Within != "" {
			continue
		}
		dir := s.Module
		if p.Repair != nil && p.Repair.Dir != "" {
			dir = p.Repair.Dir
		}
		at := slices.IndexFunc(all, func(a application) bool { return a.Dir == dir })
		switch {
		case at < 0:
			all = append(all, application{Dir: dir, Command: s.command(p.Patch)})
		case !all[at].Together: // an earlier version has combined nothing
			all[at].Command, all[at].Problem = "", "the fixes were not combined: apply one after the other, as long as they apply"
		}
	}
	return all
}

// command applies a patch.
func (s Series) command(patch string) string {
	return "git apply " + shellWord(path.Join(s.Out, patch))
}

// plainWord matches what a shell takes as it is.
var plainWord = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// shellWord quotes a word for a shell.
func shellWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
