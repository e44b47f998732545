package htmlreport

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"mendel/internal/dossier"
	"mendel/internal/report"
)

// several is a series with a package of each outcome.
func several(t testing.TB) Series {
	fixed := func(name, out string) report.PackageOutcome {
		d := load(t, name)
		d.Dir = "/src/shop"
		return report.PackageOutcome{
			Name: "example.com/shop/" + name, Fixed: true, Status: "fixed", Failures: []string{d.Failures[0].Message},
			Patch: out + "/fix-1.patch", Report: out + "/report.html", Seconds: d.Seconds, Repair: d,
		}
	}
	part := fixed("stream", "4-stream")
	part.Within = "account"
	return Series{
		Status: "not-fixed", Module: "/src/shop", Out: "mendel-out", Patterns: []string{"./..."}, Seed: 7, Seconds: 312.4, Budget: 3600,
		Packages: []report.PackageOutcome{
			fixed("deadlock", "2-deadlock"), fixed("account", "1-account"), part,
			{Name: "example.com/shop/queue", Status: "not-fixed", Reason: "the budget is spent", Failures: []string{"deadlock in Pop", "race"}, Report: "3-queue/report.html", Repair: unfixed(t), Seconds: 90},
			{Name: "example.com/shop/till", Status: "not-fixed", Reason: "interrupted before its turn", Failures: []string{"data race: read in Sum"}},
			{Name: "example.com/shop/tax", Status: "not-reproduced", Reason: "no run failed", Seconds: 12},
			{Name: "example.com/shop/broken", Status: "error", Reason: "broken.go:3:1: expected declaration"},
		},
		Combined: []report.CombinedPatch{{Dir: "/src/shop", Patch: "all.patch"}},
		Untested: []string{"example.com/shop/doc"}, Notes: []string{"the fixes of account and queue both change log.go"},
	}
}

func seriesPage(t testing.TB, s Series) string {
	t.Helper()
	var b strings.Builder
	if err := SeriesHTML(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSeriesHTML(t *testing.T) {
	page := seriesPage(t, several(t))
	outline(t, page)
	for _, want := range []string{
		"5 of 7 packages failed, 3 have a validated fix.", "1 package could not be tried.",
		`<a class="stop" id="package-2" href="1-account/report.html">example.com/shop/account</a>`,
		`<a href="1-account/fix-1.patch">fix-1.patch</a>`, "data race</span> in <code>TestRing</code>", "lockstatement to.mu",
		"part of the fix of <code>account</code>", "Interrupted before its turn.", "data race: read in Sum", "without tests left out",
		"<p>In <code>/src/shop</code>:</p>",
		"git apply mendel-out/all.patch</pre>", "together they build",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

// Nothing is offered that does not apply: without a patch of all, or with one that
// leaves out a fix, the page says why.
func TestSeriesAppliesAll(t *testing.T) {
	s := several(t)
	for name, c := range map[string]struct {
		combined   []report.CombinedPatch
		packages   []report.PackageOutcome
		want, none string
	}{
		"of all":        {s.Combined, s.Packages, "git apply mendel-out/all.patch</pre>", "There is no patch of all"},
		"one left out":  {[]report.CombinedPatch{{Dir: "/src/shop", Patch: "all.patch", Problem: "the fix of tax is left out"}}, s.Packages, "The fix of tax is left out.", "There is no patch of all"},
		"none":          {[]report.CombinedPatch{{Dir: "/src/shop", Problem: "they do not build together"}}, s.Packages, "They do not build together.", "git apply mendel-out"},
		"a single one":  {nil, s.Packages[:1], "git apply mendel-out/2-deadlock/fix-1.patch</pre>", "together they build"},
		"not combined":  {nil, s.Packages, "There is no patch of all", "git apply mendel-out"},
		"nothing fixed": {nil, s.Packages[3:], "", "Apply all"},
	} {
		s.Combined, s.Packages = c.combined, c.packages
		page := seriesPage(t, s)
		outline(t, page)
		if !strings.Contains(page, c.want) || strings.Contains(page, c.none) {
			t.Errorf("%s: the page has no %q, or has %q", name, c.want, c.none)
		}
	}
}

// evilSeries has markup in every text, and addresses that are none of ours.
func evilSeries(t testing.TB) Series {
	s := several(t)
	evil, _ := hostile(t)
	s.Packages[0].Repair = evil
	n := 0
	plant(reflect.ValueOf(&s).Elem(), func(string) string {
		n++
		return fmt.Sprintf("text%dtext %s", n, markup)
	})
	s.Packages[1].Report, s.Packages[1].Patch = "javascript:alert(1)", "1-a#b?c%d\"><b id=planted>/fix-1.patch"
	s.Packages[1].Fixed, s.Packages[1].Within, s.Packages[1].Repair = true, "", &dossier.Dossier{Dir: "/it's $HOME"}
	s.Out = "it's $(out)"
	return s
}

func TestHostileSeries(t *testing.T) {
	page := seriesPage(t, evilSeries(t))
	outline(t, page)
	for _, raw := range []string{`<b id=`, `<img`, `onerror="`, "\x00", "\x1b", "\u202e", "\u2066", `href="javascript:`} {
		if strings.Contains(page, raw) {
			t.Errorf("the page has %q as it is", raw)
		}
	}
	for _, want := range []string{
		`href="./javascript:alert%281%29"`, `href="1-a%23b%3Fc%25d%22%3E%3Cb%20id=planted%3E/fix-1.patch"`,
		`git apply &#39;it&#39;\&#39;&#39;s $(out)/`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}
