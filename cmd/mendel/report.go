package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mendel"
	"mendel/internal/dossier"
	"mendel/internal/gotool"
	"mendel/internal/report"
	"mendel/internal/report/page"
	"mendel/internal/report/paper"
)

// Files that report leaves in the directory of a repair.
const (
	pageName  = "report.html"
	paperName = "report.md"
)

// formats are what --format takes.
var formats = []string{"html", "md", "text", "sarif", "github", "patch"}

// reportFlags are those of the report command.
type reportFlags struct {
	dir    string
	open   bool
	text   bool
	json   bool
	format string
	fix    int // from 1
	color  string
}

func newReportCommand() *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use:   "report [flags] [directory]",
		Short: "show what a repair has found: as a page, as text, for other tools",
		Long: `Report reads the output directory of a repair, mendel-out if none is named. It
writes report.html, one file that needs no network, and report.md there. It needs
neither the program nor its source.

Of a repair of several packages, each package has a report of its own, and
report.html and report.md list the packages.

With --format the report goes to standard output instead:
  html    the page; of several packages, the list
  md      Markdown, for a code host
  text    plain text, for a terminal
  sarif   failures and fixes for code scanning and editors (SARIF 2.1.0)
  github  annotations of a GitHub Actions run
  patch   one fix as a mail for git am and git apply; --fix chooses it
In sarif and github, file names are relative to the repository of the module, if
there is one.

Exit codes:
  0  the report was made, whatever the repair found
  2  there is nothing to report on, or it cannot be read or written`,
		Example: `  mendel report --open                           # in the browser
  mendel report --text                           # in the terminal
  mendel report --format sarif > mendel.sarif    # for code scanning
  mendel report --format patch --fix 2 | git am  # commit the second fix`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f.dir = "mendel-out"
			if len(args) == 1 {
				f.dir = args[0]
			}
			if f.text {
				f.format = "text"
			}
			if c.Flags().Changed("fix") && f.format != "patch" {
				return errors.New("--fix is for --format patch")
			}
			return runReport(f, c.OutOrStdout())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.BoolVar(&f.open, "open", false, "open report.html in the browser")
	fs.BoolVar(&f.text, "text", false, "the same as --format text")
	fs.StringVar(&f.format, "format", "", "print in a format: "+strings.Join(formats, ", "))
	fs.IntVar(&f.fix, "fix", 1, "with --format patch: which fix; 1 is the best")
	fs.BoolVar(&f.json, "json", false, "print everything as JSON, one line for each repair")
	fs.StringVar(&f.color, "color", "auto", "colour the text: auto, always or never")
	c.MarkFlagsMutuallyExclusive("open", "text", "format", "json")
	return c
}

// runReport writes the report, or prints it.
func runReport(f reportFlags, stdout io.Writer) error {
	color, err := wantColor(f.color, stdout)
	if err != nil {
		return err
	}
	if f.format != "" && !slices.Contains(formats, f.format) {
		return fmt.Errorf("--format %s: there are %s", f.format, strings.Join(formats, ", "))
	}
	o, err := readOutcome(f.dir)
	if err != nil {
		return err
	}
	switch {
	case f.json:
		return o.printDossiers(stdout)
	case f.format != "":
		return o.print(stdout, f, color)
	}
	pages, err := o.leave()
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(stdout, strings.Join(pages, "\n")); err != nil {
		return fmt.Errorf("print where the report is: %w", err)
	}
	if !f.open {
		return nil
	}
	return openPage(pages[0])
}

// A repaired is what one or several repairs have left in a directory.
type repaired struct {
	dir     string
	series  *page.Series  // nil: it is one repair
	repairs []oneRepaired // those that have come to an end
}

// A oneRepaired is the dossier of a repair with where it was found.
type oneRepaired struct {
	*dossier.Dossier
	dir string
}

// readOutcome reads the repair in a directory, or the repair of several
// packages: whichever is newer.
func readOutcome(dir string) (*repaired, error) {
	if !newer(filepath.Join(dir, mendel.SeriesName), filepath.Join(dir, dossier.Name)) {
		d, err := dossier.Read(dir)
		if err != nil {
			return nil, err
		}
		return &repaired{dir: dir, repairs: []oneRepaired{{d, dir}}}, nil
	}
	series, err := mendel.ReadSeries(dir)
	if err != nil {
		return nil, err
	}
	o := &repaired{dir: dir, series: &page.Series{
		Status: string(series.Status), Module: series.Module, Out: from(series.Module, dir), Patterns: series.Patterns,
		Seed: series.Seed, Seconds: series.Seconds, Budget: series.Budget, Untested: series.Untested, Notes: series.Notes,
	}}
	for _, m := range series.Members {
		if err := o.add(m); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// from is a directory as somebody in another one names it: absolute if it is
// not below.
func from(here, dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return filepath.ToSlash(dir)
	}
	if rel, err := filepath.Rel(here, dir); err == nil && filepath.IsLocal(rel) {
		dir = rel
	}
	return filepath.ToSlash(dir)
}

// add adds a package of a series, and its repair if that has come to an end.
func (o *repaired) add(m mendel.Member) error {
	told := report.Member{
		Name: m.Package, Fixed: m.Status == mendel.Fixed, Status: string(m.Status), Reason: m.Reason,
		Failures: m.Failures, Patch: m.Patch, Within: m.Within, Seconds: m.Seconds,
	}
	switch {
	case m.Status == "" && m.Begun:
		told.Status = "under way"
	case m.Status == "":
		told.Status = "not tried yet"
	}
	sub := filepath.Join(o.dir, filepath.FromSlash(m.Out))
	if m.Out != "" && exists(filepath.Join(sub, dossier.Name)) {
		d, err := dossier.Read(sub)
		if err != nil {
			return err
		}
		o.repairs = append(o.repairs, oneRepaired{d, sub})
		told.Report, told.Repair = path.Join(m.Out, pageName), d
	}
	o.series.Members = append(o.series.Members, told)
	return nil
}

// exists tells whether there is a file or directory.
func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// newer tells whether a file exists and another does not, or is older.
func newer(name, other string) bool {
	a, err := os.Stat(name)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err != nil || a.ModTime().After(b.ModTime())
}

// printDossiers prints everything, the dossier of each repair on a line.
func (o *repaired) printDossiers(w io.Writer) error {
	for _, r := range o.repairs {
		data, err := os.ReadFile(filepath.Join(r.dir, dossier.Name))
		if err != nil {
			return fmt.Errorf("read the dossier: %w", err)
		}
		if _, err := fmt.Fprintf(w, "%s\n", bytes.TrimSpace(data)); err != nil {
			return fmt.Errorf("print the dossier: %w", err)
		}
	}
	return nil
}

// print prints the report in a format.
func (o *repaired) print(w io.Writer, f reportFlags, color bool) error {
	var b bytes.Buffer
	var err error
	switch f.format {
	case "sarif":
		err = paper.SARIF(&b, o.root(), o.dossiers()...)
	case "github":
		err = paper.GitHub(&b, o.root(), o.dossiers()...)
	case "md", "text":
		err = o.write(&b, f.format, paper.TextOptions{Color: color, Width: columns(w)})
	case "html":
		err = o.html(&b)
	default:
		err = o.printPatch(&b, f)
	}
	if err != nil {
		return fmt.Errorf("report on %s: %w", f.dir, err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// html writes the page or, of several packages, the one that lists them.
func (o *repaired) html(w io.Writer) error {
	if o.series != nil {
		return page.SeriesHTML(w, *o.series)
	}
	return page.HTML(w, o.repairs[0].Dossier)
}

// printPatch prints a fix of a repair.
func (o *repaired) printPatch(w io.Writer, f reportFlags) error {
	if o.series != nil {
		return fmt.Errorf("--format %s is for one repair, and there are several: name the directory of one of them", f.format)
	}
	d := o.repairs[0].Dossier
	if f.fix < 1 || f.fix > len(d.Fixes) {
		return fmt.Errorf("--fix %d: there are %d fixes", f.fix, len(d.Fixes))
	}
	return paper.Patch(w, d, f.fix-1)
}

// write writes all for people, what became of several packages first.
func (o *repaired) write(w io.Writer, format string, look paper.TextOptions) error {
	contents := func() error { return paper.TextContents(w, o.series.Members, look) }
	one := func(d *dossier.Dossier) error { return paper.Text(w, d, look) }
	if format == "md" {
		contents = func() error { return paper.MarkdownContents(w, o.series.Members) }
		one = func(d *dossier.Dossier) error { return paper.Markdown(w, d) }
	}
	if o.series != nil {
		if err := contents(); err != nil {
			return err
		}
	}
	for i, r := range o.repairs {
		if i > 0 || o.series != nil {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := one(r.Dossier); err != nil {
			return err
		}
	}
	return nil
}

func (o *repaired) dossiers() []*dossier.Dossier {
	var all []*dossier.Dossier
	for _, r := range o.repairs {
		all = append(all, r.Dossier)
	}
	return all
}

// root is the directory of the repository that the repaired module lies in; ""
// if it is in none, or no longer there.
func (o *repaired) root() string {
	if len(o.repairs) == 0 {
		return ""
	}
	for dir := o.repairs[0].Dir; dir != ""; dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, ".git")) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return ""
}

// leave writes the report of each repair into its directory and, of several,
// what became of them into theirs. It returns the files, the one to open first
// first.
func (o *repaired) leave() ([]string, error) {
	var names []string
	keep := func(dir, name string, write func(io.Writer) error) error {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return fmt.Errorf("report on %s: %w", dir, err)
		}
		file := filepath.Join(dir, name)
		if err := gotool.WriteFile(file, b.Bytes()); err != nil {
			return fmt.Errorf("save the report: %w", err)
		}
		names = append(names, file)
		return nil
	}
	var problems error
	if o.series != nil {
		problems = errors.Join(
			keep(o.dir, pageName, o.html),
			keep(o.dir, paperName, func(w io.Writer) error { return paper.MarkdownContents(w, o.series.Members) }))
	}
	for _, r := range o.repairs {
		problems = errors.Join(problems,
			keep(r.dir, pageName, func(w io.Writer) error { return page.HTML(w, r.Dossier) }),
			keep(r.dir, paperName, func(w io.Writer) error { return paper.Markdown(w, r.Dossier) }))
	}
	return names, problems
}

// leaveReports writes the reports of a repair that has just ended, and says
// where. That there are none is no failure of the repair.
func leaveReports(stderr io.Writer, dir string) {
	if !exists(filepath.Join(dir, dossier.Name)) && !exists(filepath.Join(dir, mendel.SeriesName)) {
		return // it has not come so far
	}
	o, err := readOutcome(dir)
	var files []string
	if err == nil {
		files, err = o.leave()
	}
	if err != nil {
		fmt.Fprintf(stderr, "note: there is no report: %v\n", err)
		return
	}
	fmt.Fprintf(stderr, "the report is %s\n", files[0])
}
