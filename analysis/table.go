package analysis

import (
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"
)

// Table prints the narrowing as the table of Kelk's thesis does (CORE, 2015,
// table 5.1): how many types, functions and variables there are and how many
// were kept; then each of those kept, with the reasons. Findings in test files
// are counted apart, because nothing there was counted before.
func (n *Narrowing) Table(w io.Writer) error {
	kinds := n.kinds()
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tbefore\tafter\tin tests\t")
	for _, k := range kinds {
		kept, tests := 0, 0
		for _, f := range k.found {
			if n.inTest(f) {
				tests++
			} else {
				kept++
			}
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t\n", k.name, k.before, kept, tests)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print the narrowing: %w", err)
	}
	for _, k := range kinds {
		for _, f := range k.found {
			if _, err := fmt.Fprintf(w, "\n%s %s (%s)\n", f.Kind, f.Name, n.place(f)); err != nil {
				return fmt.Errorf("print the narrowing: %w", err)
			}
			for _, r := range f.Reasons {
				fmt.Fprintf(w, "    %s: %s\n", r.Source, r.Detail)
			}
		}
	}
	return nil
}

// A kind is one line of the table.
type kind struct {
	name   string
	before int
	found  []Finding
}

func (n *Narrowing) kinds() []kind {
	types, functions, variables := n.Findings()
	return []kind{
		{"types", n.Before.Types, types},
		{"functions", n.Before.Functions, functions},
		{"variables", n.Before.Variables, variables},
	}
}

// inTest reports whether a finding is declared in a test file.
func (n *Narrowing) inTest(f Finding) bool {
	file := n.p.files[f.Pos.Filename]
	return file != nil && file.Test
}

func (n *Narrowing) place(f Finding) string {
	name := filepath.Base(f.Pos.Filename)
	if file := n.p.files[f.Pos.Filename]; file != nil {
		name = file.Rel
	}
	return fmt.Sprintf("%s:%d", name, f.Pos.Line)
}
