package report

import (
	"fmt"
	"io"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
)

// Failed writes what one failure was: its kind, in how many of how many runs
// it was seen (0 runs: left out), its message and its positions.
func Failed(w io.Writer, p *analysis.Program, f evidence.Failure, failed, runs int) error {
	_, err := io.WriteString(w, failureText(p, f, failed, runs))
	return err
}

func failureText(p *analysis.Program, f evidence.Failure, failed, runs int) string {
	var b strings.Builder
	b.WriteString(f.Kind.Words())
	if f.Test != "" {
		b.WriteString(" in " + oneLine(f.Test))
	}
	if runs > 0 {
		fmt.Fprintf(&b, ", in %d of %s", failed, count(runs, "run"))
	}
	b.WriteByte('\n')
	if m := oneLine(f.Message); m != "" {
		b.WriteString(wrap(m, textWidth, "  ", "  "))
	}
	for _, at := range positions(p, f) {
		b.WriteString("  " + at + "\n")
	}
	return b.String()
}
