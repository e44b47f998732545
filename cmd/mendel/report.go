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
	fs.StringVar(&f.format, "format", "", "print in a format: "+strings.Join(mendel.ReviewFormats(), ", "))
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
