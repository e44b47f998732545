package suites

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/analysis/evidence"
	"mendel/internal/check"
	"mendel/internal/gate"
)

func TestManifest(t *testing.T) {
	m, err := readManifest(manifestText)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Libraries) != 20 {
		t.Errorf("%d libraries", len(m.Libraries))
	}
	const one = `{"module": "example.com/m", "version": "v1.0.0"}`
	for text, want := range map[string]string{
		`{"libraries": [` + one + `, ` + one + `]}`:                         "there twice",
		`{"libraries": [{"module": "example.com/m", "version": "latest"}]}`: "no module or version",
		`{"libraries": [], "more": 1}`:                                      "unknown field",
		`{"libraries": [` + one + `], "judgements": [{"library": "example.com/m@v2.0.0", "test": "T", "kind": "race", "is": "bug", "why": "y"}]}`:     "not in it",
		`{"libraries": [` + one + `], "judgements": [{"library": "example.com/m@v1.0.0", "test": "T", "kind": "race", "is": "perhaps", "why": "y"}]}`: "a judgement says",
		`{"libraries": [` + one + `], "judgements": [{"library": "example.com/m@v1.0.0", "test": "T", "kind": "race", "is": "bug"}]}`:                 "a judgement says",
	} {
		if _, err := readManifest([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
}

func failureOf(test string, kind evidence.Kind, message string) failure {
	return failure{Failure: gate.Failure{Known: gate.Known{Test: test, Kind: kind, Message: message}}}
}

// Results of earlier runs are kept for the libraries of the manifest, and judged anew.
func TestReport(t *testing.T) {
	a, b := source{Module: "example.com/a", Version: "v1.0.0"}, source{Module: "example.com/b", Version: "v1.0.0"}
	told := failureOf("TestSlow", evidence.TestFailure, "late")
	told.Flaky = true
	found := failureOf("TestRace", evidence.Race, "data race: a.go:1, a.go:2")
	found.Table = []string{"main write a.go:1"}
	r := &report{Libraries: []*library{
		{source: source{Module: "example.com/gone", Version: "v1.0.0"}, Mendel: "x"},
		{
			source: a, Mendel: "x", Budget: 60, Counts: check.Tally{Tests: 1600, Failed: 2, Flaky: 1, Complete: 1497, Inconclusive: 100},
			Failures: []failure{found, failureOf("TestRace", evidence.Race, "data race: b.go:1, b.go:2"), told},
		},
	}}
	m := &manifest{Libraries: []source{a, b}, Judgements: []judgement{{Library: a.String(), Test: "TestRace", Kind: evidence.Race, Part: "a.go:1", Is: bug, Why: "so it is"}}}
	r.enter(m)
	if len(r.Libraries) != 2 || !r.Libraries[0].isOf("x", time.Minute) || r.Libraries[0].isOf("x", time.Hour) || r.Libraries[0].isOf("y", time.Minute) || r.Libraries[1].isOf("x", time.Minute) {
		t.Fatalf("libraries %+v", r.Libraries)
	}
	want := []string{"1 of 2 libraries were checked", "1 failures are not judged", "1 of 2 failures are bugs, fewer than 95 %"}
	if got := r.Failures(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	r.Libraries[0].Counts.Inconclusive = 200
	if got := r.Failures(); len(got) != 4 || !strings.Contains(got[1], "87.5 % of the tests have a verdict") {
		t.Errorf("%q", got)
	}
	var out bytes.Buffer
	if err := r.Write(&out, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| bug | so it is |", "| TestSlow | test-failure | late | - | - |", "    main write a.go:1\n", "| all | 1600 |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// The seconds of go test are those of its packages.
func TestSecondsOfTests(t *testing.T) {
	for line, want := range map[string]string{
		"ok  \texample.com/a\t1.234s\n":                 "1.234",
		"FAIL\texample.com/b\t0.5s\n":                   "0.5",
		"FAIL\texample.com/c [build failed]\n":          "",
		"?   \texample.com/d\t[no test files]\n":        "",
		"ok  \texample.com/e\t(cached)\n":               "",
		"--- FAIL: TestX (0.03s)\n":                     "",
		"ok  \texample.com/f\t0.1s [no tests to run]\n": "0.1",
	} {
		got := ""
		if m := tested.FindStringSubmatch(line); m != nil {
			got = m[1]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
