package checker

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker/sched/explore"
	"mendel/internal/sample"
)

// suiteSchedules is how many schedules a test of a suite's corpus gets: they are small.
const suiteSchedules = 3000

// TestSuitesCorpus checks the archives of testdata/suites, or that with all kinds of failures, as a user has suites
// checked. The last line of a test's comment says what it must come to: "want: good", "want: flaky",
// "want: left", or the kind of a failure. A line "known: WHY" before it says that the checker is wrong.
func TestSuitesCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	archives, err := filepath.Glob("testdata/suites/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("archives %q, %v", archives, err)
	}
	if !sample.All() {
		archives = []string{"testdata/suites/kinds.txtar"}
	}
	for _, file := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			dir := unpack(t, file)
			labels := suiteLabels(t, dir)
			b := build(t, load(t, dir, analysis.Target{Unedited: true}, Config{Workers: 2}))
			names, err := b.tests(nil)
			if err != nil {
				t.Fatal(err)
			}
			right := 0
			for _, name := range sample.Of(8, names) {
				r, err := b.Check(t.Context(), Search{
					Tests: []string{name}, Suite: true, All: true, Most: 3, Guards: true, Flaky: true, Left: true, Patience: time.Minute,
					Schedules: suiteSchedules, Budget: 10 * time.Minute, Single: true, Explain: true, Seed: 1,
				})
				if err != nil {
					t.Fatal(err)
				}
				one, label := r.Tests[0], labels[name]
				got := cameTo(r)
				wrong := got != label.want
				switch {
				case label.want == "":
					t.Errorf("%s has no label", one.Name)
				case wrong && label.known == "":
					t.Errorf("%s is %s, want %s (%s, %d schedules)", one.Name, got, label.want, one.Reason, one.Schedules)
				case !wrong && label.known != "":
					t.Errorf("%s is right: remove %q", one.Name, "known: "+label.known)
				}
				for _, f := range r.Failures {
					t.Logf("%s: %s (left: %q, flaky: %t)", name, f.Message, f.Left, f.Flaky)
				}
				if !wrong {
					right++
				}
			}
			t.Logf("%d are told rightly", right)
		})
	}
}

// cameTo says what the only test came to, in a label's words.
func cameTo(r *Report) string {
	one := r.Tests[0]
	if one.Verdict == Flaky || one.Verdict == Left {
		return string(one.Verdict)
	}
	if one.Verdict.Good() {
		return "good"
	}
	var kinds []string
	for _, f := range r.Failures {
		if f.verdict() == explore.Failed && !slices.Contains(kinds, string(f.Kind)) {
			kinds = append(kinds, string(f.Kind))
		}
	}
	if len(kinds) > 1 { // a race hides nothing that it makes possible
		kinds = slices.DeleteFunc(kinds, func(kind string) bool { return kind != string(evidence.Race) })
	}
	if len(kinds) == 0 {
		return string(one.Verdict)
	}
	return kinds[0]
}

// A suiteLabel is what a test of the corpus must come to.
type suiteLabel struct{ want, known string }

// suiteLabels reads the labels of the tests in a directory.
func suiteLabels(t *testing.T, dir string) map[string]suiteLabel {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]suiteLabel{}
	for _, name := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Doc == nil {
				continue
			}
			var label suiteLabel
			for line := range strings.Lines(fd.Doc.Text()) {
				if want, ok := strings.CutPrefix(line, "want: "); ok {
					label.want = strings.TrimSpace(want)
				}
				if known, ok := strings.CutPrefix(line, "known: "); ok {
					label.known = strings.TrimSpace(known)
				}
			}
			labels[fd.Name.Name] = label
		}
	}
	return labels
}
