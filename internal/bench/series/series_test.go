package series

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel"
	"mendel/internal/bench/benchtest"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
)

// madeSeries is a report in which all is as it should be.
func madeSeries() *seriesReport {
	return &seriesReport{
		Broken: []string{"account", "deadlock"}, Sound: "lottery", Budget: 300, Seconds: 60, Status: mendel.Fixed,
		Members: []member{
			{Name: "deadlock", Status: mendel.Fixed}, {Name: "account", Status: mendel.Fixed}, {Name: "lottery", Status: mendel.NotReproduced},
		},
		TwoBugs: &twoBugsReport{Status: mendel.Fixed, Failures: 3, Mends: 3},
	}
}

func TestSeriesCriteria(t *testing.T) {
	if missed := madeSeries().Failures(); len(missed) > 0 {
		t.Errorf("not met: %v", missed)
	}
	for want, spoil := range map[string]func(r *seriesReport){
		"deadlock is not-fixed, want fixed":         func(r *seriesReport) { r.Members[0].Status = mendel.NotFixed },
		"lottery is fixed, want not-reproduced":     func(r *seriesReport) { r.Members[2].Status = mendel.Fixed },
		"lottery was not tried":                     func(r *seriesReport) { r.Members = r.Members[:2] },
		"took 301.0 s of 300 s":                     func(r *seriesReport) { r.Seconds = 301 },
		"all patches on one copy: git apply":        func(r *seriesReport) { r.Problem = "git apply: no" },
		"another tree":                              func(r *seriesReport) { r.Written = "another tree" },
		"two bugs was not tried":                    func(r *seriesReport) { r.TwoBugs = nil },
		"two bugs is not-fixed":                     func(r *seriesReport) { r.TwoBugs.Status = mendel.NotFixed },
		"the fix of two bugs mends 2 of 3 failures": func(r *seriesReport) { r.TwoBugs.Mends = 2 },
		"the fix of two bugs: go test":              func(r *seriesReport) { r.TwoBugs.Problem = "go test: FAIL" },
	} {
		r := madeSeries()
		spoil(r)
		if missed := r.Failures(); len(missed) != 1 || !strings.Contains(missed[0], want) {
			t.Errorf("not met: %q, want %q alone", missed, want)
		}
	}
}

func TestSeriesReport(t *testing.T) {
	var text strings.Builder
	if err := tables.Print(madeSeries(), &text, true, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| deadlock | fixed |", "| all | fixed | 60.0 |", "| fixed | 0.0 | 3 | 3 |", "All criteria are met."} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
}

// The module has the subjects as packages, the sound one corrected.
func TestSeriesModule(t *testing.T) {
	subjects, err := subject.Read(benchtest.SubjectsDir, []string{"account", "lottery"})
	if err != nil {
		t.Fatal(err)
	}
	e := &evaluation{Options: Options{Sound: "lottery"}, subjects: subjects}
	dir := t.TempDir()
	if err := e.makeModule(dir); err != nil {
		t.Fatal(err)
	}
	if mods, err := filepath.Glob(filepath.Join(dir, "*", "go.mod")); err != nil || len(mods) > 0 {
		t.Errorf("packages are modules of their own: %v, %v", mods, err)
	}
	for name, from := range map[string]string{"account/account.go": subjects[0].Dir, "lottery/lottery.go": subjects[1].Corrected()} {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(from, filepath.Base(name)))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s is not that of %s", name, from)
		}
	}
	files, err := twoBugsFiles()
	if err != nil || len(files) != 2 {
		t.Errorf("the package with two bugs has %d files, %v", len(files), err)
	}
}
