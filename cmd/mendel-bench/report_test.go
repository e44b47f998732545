package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel"
	"mendel/mutate"
)

// sampleReport has a subject that meets all criteria and one that meets none.
func sampleReport() *Report {
	good := Subject{Name: "account", Kind: "race", COREIMCTime: "3m29s"}
	bad := Subject{Name: "pingpong", Kind: "race", COREIMCTime: "6m12s"}
	return &Report{
		Machine: Machine{Go: "go1.26.8", System: "linux/amd64", CPUs: 2}, Limit: "1m0s", Runs: 300, Checker: withChecker,
		Subjects: []*SubjectReport{{
			Subject: good,
			Trials: []Trial{
				{Seed: 1, Status: mendel.Fixed, Seconds: 10, Generation: 1, Evaluations: 20, ChangedLines: 4, PeakBytes: 90 << 20},
				{Seed: 2, Status: mendel.Fixed, Seconds: 20, Generation: 2, Evaluations: 40, ChangedLines: 5, PeakBytes: 80 << 20, Flags: []mutate.Flag{mutate.Nested}},
			},
			Corrected: &Trial{Seed: 1, Status: mendel.NotReproduced, written: []string{"result.json"}},
		}, {
			Subject: bad,
			Trials: []Trial{
				{Seed: 1, Status: mendel.Fixed, Seconds: 7, Generation: 1, Evaluations: 3, ChangedLines: 2, PeakBytes: 600 << 20, Problems: []string{"fix-1.patch: git apply: no | such file"}},
				{Seed: 2, Status: mendel.NotFixed, Reason: "generations exhausted"},
			},
			Corrected: &Trial{Seed: 1, Status: mendel.Fixed, Reason: "", written: []string{"fix-1.patch", "result.json"}},
		}},
	}
}

const wantText = `go1.26.8, linux/amd64, 2 CPUs; checker on; 1m0s for each repair; each best patch run 300 times plainly and 300 times with noise.

subject   kind  fixed   seconds (min-max)  generation  evaluations  changed lines  flags           peak memory  CORE-IMC
account   race  2 of 2  15.0 (10.0-20.0)   1.5         30.0         4.5            nested-lock x1  90 MiB       3m29s
pingpong  race  0 of 2  7.0 (7.0-7.0)      1.0         3.0          2.0            -               600 MiB      6m12s

Not met:

- pingpong: fixed with 0 of 2 seeds, want 2
- pingpong: seed 1: fix-1.patch: git apply: no | such file
- pingpong: seed 1: the tool needed 600 MiB, want less than 500 MiB
- pingpong: corrected copy: fixed, want not-reproduced: ` + `
- pingpong: corrected copy: wrote fix-1.patch, result.json, want result.json alone
`

func TestReportText(t *testing.T) {
	var b bytes.Buffer
	if err := write(sampleReport(), &b, false, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantText, b.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestReportAllMet(t *testing.T) {
	r := sampleReport()
	r.Subjects = r.Subjects[:1]
	if f := r.failures(); len(f) > 0 {
		t.Errorf("criteria not met: %q", f)
	}
	var b bytes.Buffer
	if err := write(r, &b, false, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(b.String(), "All criteria are met.\n") {
		t.Errorf("report ends with\n%s", b.String())
	}
}

// One seed in ten may fail to give a fix, but no fix may be wrong.
func TestCriteriaShare(t *testing.T) {
	s := &SubjectReport{}
	for seed := range uint64(10) {
		s.Trials = append(s.Trials, Trial{Seed: seed, Status: mendel.Fixed})
	}
	s.Trials[3].Status = mendel.NotFixed
	if f := s.Failures(); len(f) > 0 {
		t.Errorf("nine of ten: %q", f)
	}
	s.Trials[3].Status = mendel.Fixed
	s.Trials[3].problem("wrong")
	if f := s.Failures(); !slices.Equal(f, []string{"seed 3: wrong"}) {
		t.Errorf("a wrong fix: %q", f)
	}
	s.Trials[3].Problems, s.Trials[3].Status, s.Trials[4].Status = nil, mendel.NotFixed, mendel.NotFixed
	if f := s.Failures(); len(f) != 1 {
		t.Errorf("eight of ten: %q", f)
	}
}

// Where both ways were tried, the means are compared of the repairs that gave
// a fix.
func TestReportCompares(t *testing.T) {
	r := sampleReport()
	r.Checker = bothWays
	r.Subjects[0].NoiseAlone = []Trial{
		{Seed: 1, Status: mendel.Fixed, Seconds: 20},
		{Seed: 2, Status: mendel.Fixed, Seconds: 34, Problems: []string{"wrong"}},
		{Seed: 3, Status: mendel.NotFixed, Seconds: 60},
	}
	rows := r.table().rows
	if got := rows[0][len(rows[0])-2:]; !slices.Equal(got, []string{"27.0 (20.0-34.0)", "1.8"}) {
		t.Errorf("compared: %q", got)
	}
	if got := rows[1][len(rows[1])-2:]; !slices.Equal(got, []string{"-", "-"}) {
		t.Errorf("nothing to compare with: %q", got)
	}
	if f := r.Subjects[0].Failures(); !slices.Equal(f, []string{"seed 2, noise alone: wrong", "1.8 times as fast as with noise alone, want 2"}) {
		t.Errorf("criteria: %q", f)
	}
}

func TestReportSave(t *testing.T) {
	dir := t.TempDir()
	if err := save(sampleReport(), dir, "subjects", nil); err != nil {
		t.Fatal(err)
	}
	md, err := os.ReadFile(filepath.Join(dir, "subjects.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(md), "\n| account | race | 2 of 2 | 15.0 (10.0-20.0) |") {
		t.Errorf("subjects.md:\n%s", md)
	}
	data, err := os.ReadFile(filepath.Join(dir, "subjects.json"))
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Subjects) != 2 || back.Subjects[0].Trials[1].Flags[0] != mutate.Nested || back.Subjects[1].Corrected.Status != mendel.Fixed {
		t.Errorf("subjects.json has lost something: %s", data)
	}
}

func TestTableMarkdownEscapes(t *testing.T) {
	tab := &table{header: []string{"a", "b"}}
	tab.add("x|y", "two\nlines")
	var b bytes.Buffer
	if err := tab.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	if want := "| a | b |\n| --- | --- |\n| x\\|y | two<br>lines |\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
