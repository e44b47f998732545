package effects

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"mendel/checker/sched/effects"
)

var update = flag.Bool("update", false, "write the table anew, for the installed Go")

const table = "../../sched/effects/table.go"

// The table is that of the installed Go, but for a few lines: another patch release
// may change how a function does what it does. With -update it is written anew.
func TestTable(t *testing.T) {
	if testing.Short() {
		t.Skip("it analyses the standard library")
	}
	text, err := Table(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		source := "package effects\n\n// Code generated from the standard library by package mendel/checker/instrument/effects. DO NOT EDIT.\n\nconst table = `" + text + "`\n"
		if err := os.WriteFile(table, []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	var differ []string
	pkg, lines := "", 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		rest, ok := strings.CutPrefix(line, "\t")
		if !ok {
			pkg = line
			continue
		}
		lines++
		name, words, _ := strings.Cut(rest, " ")
		if have := effects.Of(pkg, name); have != words {
			differ = append(differ, fmt.Sprintf("%s.%s: %q in the table, by analysis %q", pkg, name, have, words))
		}
	}
	if lines < 1000 || len(differ) > lines/100 {
		t.Errorf("%d of %d lines differ (write the table with -update):\n%s", len(differ), lines, strings.Join(differ, "\n"))
	}
}
