package report_test

import (
	"bytes"
	"encoding/json"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/checker/sched/explore"
	"mendel/internal/dossier"
	"mendel/internal/report"
	"mendel/internal/report/htmlreport"
	"mendel/internal/report/textreport"
	"mendel/mutate"
	"mendel/validate"
)

// markup matches what a format adds to the words: tags, the marks of lists, and
// escapes of Markdown.
var markup = regexp.MustCompile(`<[^>]*>|(?m:^\s*(•|-) )|\\`)

// words are the words of a text, without the markup and in one line.
func words(text string) string {
	return strings.Join(strings.Fields(html.UnescapeString(markup.ReplaceAllString(text, " "))), " ")
}

// What the evidence of a fix does not show has the same words everywhere.
func TestLimitsAreTheSameEverywhere(t *testing.T) {
	const noise, tests = "Runs under noise sample", "Only what the tests execute"
	for _, c := range []struct {
		name    string
		runs    int
		race    bool
		checked validate.Checked
		want    []string // how the sentences begin
	}{
		{"exhausted", 150, true, validate.Checked{Verdict: explore.Exhausted, Bound: -1, Schedules: 9}, []string{noise, tests}},
		{"covered", 150, true, validate.Checked{Verdict: explore.Covered, Schedules: 9}, []string{noise, tests}},
		{
			"exhausted up to a bound", 150, true, validate.Checked{Verdict: explore.Exhausted, Bound: 1, Schedules: 9},
			[]string{noise, tests, "The model checker did not try all schedules with more than 1 preemption."},
		},
		{
			"exhausted fair schedules", 150, true, validate.Checked{Verdict: explore.Exhausted, Bound: -1, Fair: true, Schedules: 9},
			[]string{noise, tests, "The model checker left out schedules in which a busy wait"},
		},
		{
			"passed", 150, true, validate.Checked{Verdict: explore.Passed, Schedules: 9},
			[]string{noise, tests, "The model checker did not try all schedules."},
		},
		{
			"passed with a reason", 150, true, validate.Checked{Verdict: explore.Passed, Schedules: 9, Reason: "goroutines read the clock."},
			[]string{noise, tests, "The model checker did not cover everything: goroutines read the clock."},
		},
		{"inconclusive", 150, true, validate.Checked{Verdict: explore.Inconclusive, Reason: "the test ends the process"}, []string{noise, tests}},
		{"no checker", 150, true, validate.Checked{}, []string{noise, tests}},
		{"no noise", 0, true, validate.Checked{Verdict: explore.Exhausted, Bound: -1, Schedules: 9}, []string{"No run under noise has confirmed", tests}},
		{"no race detector", 150, false, validate.Checked{}, []string{noise, tests, "Without the race detector"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			limits := report.Limits(&validate.Fix{Confirmed: validate.Confirmation{Runs: c.runs}, Race: c.race, Checked: c.checked})
			if len(limits) != len(c.want) {
				t.Fatalf("limits %q, want %q", limits, c.want)
			}
			story := report.Story{
				Program: &analysis.Program{Module: "/m"},
				Fix: &validate.Fix{
					Mutant:    &mutate.Mutant{},
					Confirmed: validate.Confirmation{Runs: c.runs}, Race: c.race, Checked: c.checked,
				},
			}
			d := &dossier.Dossier{
				Version: dossier.Version, Status: "fixed", Failures: []dossier.FailureRecord{{Kind: "race"}}, Fixes: []dossier.Fix{report.Fix(story)},
			}
			d.Fixes[0].Files = []dossier.File{{Path: "a.go", Before: "x\n", After: "y\n"}} // SARIF has no fix without one
			formats := map[string]func(io.Writer) error{
				"summary":  func(w io.Writer) error { return report.Summary(w, story) },
				"message":  func(w io.Writer) error { _, err := io.WriteString(w, report.Message(story)); return err },
				"JSON":     func(w io.Writer) error { return json.NewEncoder(w).Encode(d.Fixes[0].Evidence.Limits) },
				"text":     func(w io.Writer) error { return textreport.Text(w, d, textreport.TextOptions{}) },
				"Markdown": func(w io.Writer) error { return textreport.Markdown(w, d) },
				"SARIF":    func(w io.Writer) error { return textreport.SARIF(w, "", d) },
				"HTML":     func(w io.Writer) error { return htmlreport.HTML(w, d) },
			}
			for name, write := range formats {
				var b bytes.Buffer
				if err := write(&b); err != nil {
					t.Fatal(err)
				}
				text := words(b.String())
				for i, limit := range limits {
					if !strings.HasPrefix(limit, c.want[i]) {
						t.Errorf("%q does not begin with %q", limit, c.want[i])
					}
					if !strings.Contains(text, limit) {
						t.Errorf("%s does not have %q:\n%s", name, limit, text)
					}
				}
				if got := strings.Count(text, "sample the interleavings"); got > 0 && c.runs == 0 {
					t.Errorf("%s tells of runs under noise, of which there are none", name)
				}
			}
		})
	}
}

// Each state of a package has one name, whoever tells it.
func TestStateWords(t *testing.T) {
	for _, c := range []struct {
		status string
		begun  bool
		want   string
	}{
		{"", false, "not tried yet"}, {"", true, "running"}, {"fixed", true, "fixed"}, {"not-fixed", true, "not fixed"},
		{"not-fixed", false, "not fixed"}, {"not-reproduced", true, "not reproduced"}, {"error", true, "error"},
	} {
		p := report.PackageOutcome{Name: "example.com/x", Status: c.status, Begun: c.begun}
		if got := p.State(); got != c.want {
			t.Errorf("status %q, begun %t: %q, want %q", c.status, c.begun, got, c.want)
		}
		for name, write := range map[string]func(io.Writer) error{
			"text": func(w io.Writer) error {
				return textreport.TextContents(w, []report.PackageOutcome{p}, nil, textreport.TextOptions{})
			},
			"Markdown": func(w io.Writer) error { return textreport.MarkdownContents(w, []report.PackageOutcome{p}, nil) },
			"HTML": func(w io.Writer) error {
				return htmlreport.SeriesHTML(w, htmlreport.Series{Packages: []report.PackageOutcome{p}})
			},
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			if text := words(b.String()); !strings.Contains(strings.ToLower(text), c.want) {
				t.Errorf("%s does not say %q:\n%s", name, c.want, text)
			}
		}
	}
}

// Tests that depend on time are named with the runs that they failed.
func TestDelayedIsTold(t *testing.T) {
	f := &validate.Fix{Mutant: &mutate.Mutant{}, Confirmed: validate.Confirmation{Runs: 20, Delayed: map[string]int{"TestB": 2, "TestA": 1}}}
	limits := strings.Join(report.Limits(f), "\n")
	for _, want := range []string{"TestA depends on time", "it failed in 1 of 20", "TestB depends on time", "it failed in 2 of 20"} {
		if !strings.Contains(limits, want) {
			t.Errorf("no %q in\n%s", want, limits)
		}
	}
	var b bytes.Buffer
	if err := report.Summary(&b, report.Story{Program: &analysis.Program{Module: "/m"}, Fix: f}); err != nil || !strings.Contains(squeeze(b.String()), "all passed, but for TestA and TestB, which depend on time") {
		t.Errorf("%v\n%s", err, b.String())
	}
	if words := report.ButFor([]string{"TestA"}); words != ", but for TestA, which depends on time" {
		t.Error(words)
	}
}

// squeeze makes one line of wrapped text.
func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }
