package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mendel"
)

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
		Long: `Report reads what a repair has left in its output directory (default mendel-out)
and writes report.html, one file that needs no network, and report.md there.
Neither the program nor its source is needed.

With --format the report goes to standard output instead:
  html    the page
  md      the same in Markdown, for a code host
  text    the same for a terminal
  sarif   failures and fixes for code scanning and editors (SARIF 2.1.0)
  github  annotations of a GitHub Actions run
  patch   a fix as a mail, for git am and git apply; --fix says which

In sarif and github, files are named relative to the repository's directory
where the module lies in one, and it is still there.

The directory of a repair of several packages gives a report for each, and a
report.html and a report.md that list them; html prints this list.

Exit codes: 0 the report was made, whatever the repair found; 2 there is nothing
to report on, or it cannot be read or written.`,
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
	fs.BoolVar(&f.open, "open", false, "open the page in the browser; of several packages the one that lists them")
	fs.BoolVar(&f.text, "text", false, "the same as --format text")
	fs.StringVar(&f.format, "format", "", "print instead: "+strings.Join(mendel.ReviewFormats(), ", "))
	fs.IntVar(&f.fix, "fix", 1, "with --format patch: which fix, 1 is the best")
	fs.BoolVar(&f.json, "json", false, "print all there is as JSON, a line for each repair")
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
	o := mendel.ReviewOptions{Format: f.format, Fix: f.fix, Color: color, Width: columns(stdout)}
	if f.format != "" {
		if err := o.Check(); err != nil {
			return err
		}
	}
	r, err := mendel.ReadReview(f.dir)
	switch {
	case err != nil:
		return err
	case f.json:
		return r.PrintJSON(stdout)
	case f.format != "":
		return r.Print(stdout, o)
	}
	files, err := r.Write()
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(stdout, strings.Join(files, "\n")); err != nil {
		return fmt.Errorf("print where the report is: %w", err)
	}
	if !f.open {
		return nil
	}
	return openPage(files[0])
}

// writeReports writes the reports of a repair that has just ended, and says
// where. That there are none is no failure of the repair.
func writeReports(stderr io.Writer, dir string) {
	if !mendel.Reviewable(dir) {
		return // it has not come so far
	}
	r, err := mendel.ReadReview(dir)
	var files []string
	if err == nil {
		files, err = r.Write()
	}
	if err != nil {
		fmt.Fprintf(stderr, "note: there is no report: %v\n", err)
		return
	}
	fmt.Fprintf(stderr, "the report is %s\n", files[0])
}
