package htmlreport

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"mendel/internal/dossier"
	"mendel/internal/report"
)

// The test in browser, a module of its own, has the pages that it looks at written so.
var pagesTo = flag.String("pages", "", "write pages of every kind, and the patches of one, into a `directory`")

// TestWritePages makes pages of every kind.
func TestWritePages(t *testing.T) {
	evil, _ := hostile(t)
	files := map[string]string{
		"no fix.html": html(t, unfixed(t)), "a fix in part.html": html(t, partly(t)), "hostile.html": html(t, evil), "nothing.html": html(t, &dossier.Dossier{}),
		"several.html": seriesPage(t, several(t)), "several hostile.html": seriesPage(t, evilSeries(t)), "none of several.html": seriesPage(t, Series{}),
	}
	for _, name := range repaired {
		files[name+".html"] = html(t, load(t, name))
	}
	d := two(t)
	files["two.html"] = html(t, d)
	for i := range d.Fixes {
		files[fmt.Sprintf("two-%d.patch", i+1)] = string(report.PatchFile(&d.Fixes[i]))
	}
	if *pagesTo == "" {
		return
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(*pagesTo, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
