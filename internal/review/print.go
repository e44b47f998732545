package review

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mendel/internal/dossier"
	"mendel/internal/report/htmlreport"
	"mendel/internal/report/textreport"
)

var formats = []string{"html", "md", "text", "sarif", "github", "patch"}

// Formats are what Options.Format can be.
func Formats() []string { return slices.Clone(formats) }

// Options say how a review is printed.
type Options struct {
	Format string // one of Formats
	Fix    int    // with the format patch: which fix, 1 is the best
	Color  bool   // text with ANSI escapes
	Width  int    // of text, in columns; 0: 80
}

// Check refuses a format that there is not.
func (o Options) Check() error {
	if !slices.Contains(formats, o.Format) {
		return fmt.Errorf("--format %s: there are %s", o.Format, strings.Join(formats, ", "))
	}
	return nil
}

// Print prints the report in a format.
func (r *Review) Print(w io.Writer, o Options) error {
	var b bytes.Buffer
	var err error
	switch o.Format {
	case "sarif":
		err = textreport.SARIF(&b, r.root(), r.dossiers()...)
	case "github":
		err = textreport.GitHub(&b, r.root(), r.dossiers()...)
	case "md", "text":
		err = r.text(&b, o)
	case "html":
		err = r.html(&b)
	default:
		err = r.patch(&b, o)
	}
	if err != nil {
		return fmt.Errorf("report on %s: %w", r.dir, err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// PrintJSON prints everything, the dossier of each repair on a line.
func (r *Review) PrintJSON(w io.Writer) error {
	for _, one := range r.repairs {
		data, err := os.ReadFile(filepath.Join(one.dir, dossier.Name))
		if err != nil {
			return fmt.Errorf("read the dossier: %w", err)
		}
		if _, err := fmt.Fprintf(w, "%s\n", bytes.TrimSpace(data)); err != nil {
			return fmt.Errorf("print the dossier: %w", err)
		}
	}
	return nil
}

// html writes the page or, of several packages, the one that lists them.
func (r *Review) html(w io.Writer) error {
	if r.series != nil {
		return htmlreport.SeriesHTML(w, *r.series)
	}
	return htmlreport.HTML(w, r.repairs[0].Dossier)
}

// patch prints a fix of a repair.
func (r *Review) patch(w io.Writer, o Options) error {
	if r.series != nil {
		return fmt.Errorf("--format %s is for one repair, and there are several: name the directory of one of them", o.Format)
	}
	d := r.repairs[0].Dossier
	if o.Fix < 1 || o.Fix > len(d.Fixes) {
		return fmt.Errorf("--fix %d: there are %d fixes", o.Fix, len(d.Fixes))
	}
	return textreport.Patch(w, d, o.Fix-1)
}

// text writes all for people, what became of several packages first.
func (r *Review) text(w io.Writer, o Options) error {
	how := textreport.TextOptions{Color: o.Color, Width: o.Width}
	contents := func() error { return textreport.TextContents(w, r.series.Packages, r.series.Combined, how) }
	one := func(d *dossier.Dossier) error { return textreport.Text(w, d, how) }
	if o.Format == "md" {
		contents = func() error { return textreport.MarkdownContents(w, r.series.Packages, r.series.Combined) }
		one = func(d *dossier.Dossier) error { return textreport.Markdown(w, d) }
	}
	if r.series != nil {
		if err := contents(); err != nil {
			return err
		}
	}
	for i, repair := range r.repairs {
		if i > 0 || r.series != nil {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := one(repair.Dossier); err != nil {
			return err
		}
	}
	return nil
}

func (r *Review) dossiers() []*dossier.Dossier {
	var all []*dossier.Dossier
	for _, one := range r.repairs {
		all = append(all, one.Dossier)
	}
	return all
}

// root is the directory of the repository that the repaired module lies in; ""
// if it is in none, or no longer there.
func (r *Review) root() string {
	if len(r.repairs) == 0 {
		return ""
	}
	for dir := r.repairs[0].Dir; dir != ""; dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, ".git")) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return ""
}
