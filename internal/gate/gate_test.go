package gate

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mendel/analysis/evidence"
	"mendel/internal/change"
	"mendel/internal/check"
	"mendel/internal/gotool"
	"mendel/internal/report/sarif"
	"mendel/internal/report/sarif/sariftest"
	"mendel/internal/result"
)

func TestShard(t *testing.T) {
	all := []gotool.Package{{Path: "a"}, {Path: "b"}, {Path: "c"}, {Path: "d"}, {Path: "e"}}
	for which, want := range map[string]string{"1/2": "a c e", "2/2": "b d", "": "a b c d e", "5/5": "e", "6/6": ""} {
		part, err := shard(all, which)
		var paths []string
		for _, p := range part {
			paths = append(paths, p.Path)
		}
		if got := strings.Join(paths, " "); err != nil || got != want {
			t.Errorf("%q: %s, %v, want %s", which, got, err, want)
		}
	}
	for _, which := range []string{"0/2", "3/2", "x", "1/2x", "1", "-1/2"} {
		if _, err := shard(all, which); err == nil {
			t.Errorf("%q is no error", which)
		}
	}
}

// A file belongs to the package in whose directory, or below, it lies.
func TestChangedPackages(t *testing.T) {
	own := []gotool.Package{{Path: "m", Dir: "/m"}, {Path: "m/a", Dir: "/m/a"}, {Path: "m/a/b", Dir: "/m/a/b"}}
	for _, c := range []struct {
		name  string
		files []change.File
		want  string
		all   string
	}{
		{"source", []change.File{{Path: "a/x.go", After: []byte("x")}}, "m/a", ""},
		{"testdata", []change.File{{Path: "a/b/testdata/deep/x.txt", After: []byte("x")}}, "m/a/b", ""},
		{"go.mod", []change.File{{Path: "go.mod", After: []byte("x")}}, "", "go.mod"},
		{"gone", []change.File{{Path: "gone/x.go", Before: []byte("x")}}, "", "gone/x.go"},
		{"another module", []change.File{{Path: "../n/go.mod", After: []byte("x")}}, "", ""},
	} {
		changed, all := changedPackages(&change.Change{Root: "/m", Files: c.files}, "/m", own)
		var paths []string
		for path := range changed {
			paths = append(paths, path)
		}
		if got := strings.Join(paths, " "); got != c.want || all != c.all {
			t.Errorf("%s: %q, all by %q, want %q, %q", c.name, got, all, c.want, c.all)
		}
	}
}

// runOf is a run of packages with results made up.
func runOf(o Options, results map[string]*check.Result) *run {
	r := &run{o: o, began: time.Now(), summary: &Summary{Packages: []Package{}}}
	r.o.Check.Observer = result.Silent{}
	r.o.Check.Budget = time.Hour
	r.check = func(_ context.Context, o check.Options) (*check.Result, error) {
		res := results[o.Dir]
		if res.Verdict == check.Error {
			return res, errors.New("it does not build")
		}
		return res, nil
	}
	return r
}

func failing(signature string) check.Failure {
	return check.Failure{Failure: evidence.Failure{Kind: evidence.Race, Signature: signature, Message: "data race " + signature, Test: "TestX"}}
}

func TestVerdict(t *testing.T) {
	known := &Baseline{Version: baselineVersion, Failures: []Known{{Package: "a", Signature: "old", Why: "later"}, {Package: "z", Signature: "unseen"}}}
	for _, c := range []struct {
		name    string
		o       Options
		result  *check.Result
		verdict Verdict
		fixed   int
	}{
		{"passes", Options{}, &check.Result{Verdict: check.Passed}, Clean, 1},
		{"new", Options{}, &check.Result{Verdict: check.Failed, Failures: []check.Failure{failing("old"), failing("new")}}, Failed, 0},
		{"known", Options{}, &check.Result{Verdict: check.Failed, Failures: []check.Failure{failing("old")}}, Clean, 0},
		{"new, written", Options{WriteBaseline: true}, &check.Result{Verdict: check.Failed, Failures: []check.Failure{failing("new")}}, Clean, 1},
		{"inconclusive", Options{}, &check.Result{Verdict: check.Inconclusive}, Clean, 0},
		{"inconclusive, strict", Options{Strict: true}, &check.Result{Verdict: check.Inconclusive}, Error, 0},
		{"does not build", Options{}, &check.Result{Verdict: check.Error}, Error, 0},
	} {
		r := runOf(c.o, map[string]*check.Result{"a": c.result})
		r.known, r.packages = known, []gotool.Package{{Path: "a", Dir: "a", Tests: true}}
		r.each(t.Context())
		r.conclude()
		if s := r.summary; s.Verdict != c.verdict || len(s.Fixed) != c.fixed {
			t.Errorf("%s: %s, fixed %v, want %s, %d", c.name, s.Verdict, s.Fixed, c.verdict, c.fixed)
		}
	}
}

// A package whose test files have no tests is no error, but one without tests.
func TestUntested(t *testing.T) {
	r := runOf(Options{Strict: true}, nil)
	r.check = func(context.Context, check.Options) (*check.Result, error) {
		return &check.Result{Verdict: check.Error}, fmt.Errorf("nothing to check: %w", gotool.ErrNoTests)
	}
	r.packages = []gotool.Package{{Path: "a", Dir: "a", Tests: true}}
	r.each(t.Context())
	r.conclude()
	if s := r.summary; s.Verdict != Clean || len(s.Packages) > 0 || !slices.Equal(s.Untested, []string{"a"}) {
		t.Errorf("%+v", s)
	}
}

// A reason is told in lines that people can read, without the stack behind it.
func TestPrintReason(t *testing.T) {
	const reason = "a step took longer than 500ms of wall-clock time; the goroutine is blocked in code that is not under control: goroutine 60 [syscall]:\nsyscall.Syscall6(0xf7)\n\tsyscall_linux.go:96"
	s := Summary{Verdict: Clean, Packages: []Package{{Path: "example.com/a", Verdict: check.Inconclusive, Reason: reason}, {Path: "example.com/b", Verdict: check.Exhausted, Reason: "none"}}}
	var b strings.Builder
	if err := s.Print(&b, check.PrintOptions{}); err != nil {
		t.Fatal(err)
	}
	want := `inconclusive example.com/a: a step took longer than 500ms of wall-clock time;
             the goroutine is blocked in code that is not under control
exhausted    example.com/b: none
`
	if got, _, _ := strings.Cut(b.String(), string(Clean)); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}

// A baseline that is written anew keeps what it says of packages that were not searched,
// and what people have written down.
func TestWriteBaseline(t *testing.T) {
	known := &Baseline{Version: baselineVersion, Failures: []Known{{Package: "a", Signature: "old", Why: "later"}, {Package: "a", Signature: "gone"}, {Package: "z", Signature: "elsewhere"}}}
	r := runOf(Options{}, map[string]*check.Result{"a": {Verdict: check.Failed, Failures: []check.Failure{failing("old"), failing("new")}}})
	r.known, r.packages = known, []gotool.Package{{Path: "a", Dir: "a", Tests: true}}
	r.each(t.Context())
	name := filepath.Join(t.TempDir(), "known.json")
	if err := r.summary.baseline(known).Write(name); err != nil {
		t.Fatal(err)
	}
	r.o.Baseline = name
	got, err := r.readBaseline()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, k := range got.Failures {
		list = append(list, k.Package+" "+k.Signature+" "+k.Why)
	}
	if want := []string{"a old later", "a new ", "z elsewhere "}; !slices.Equal(list, want) {
		t.Errorf("%q, want %q", list, want)
	}
}

// JUnit's counts are those of the cases; what is known is skipped, and names may be hostile.
func TestJUnit(t *testing.T) {
	s := &Summary{Packages: []Package{
		{Path: "a", Verdict: check.Failed, Tests: []check.Test{{Name: "TestX"}, {Name: "TestY"}, {Name: "TestZ"}}, Failures: []Failure{
			{Known: Known{Test: "TestX", Kind: evidence.Race, Message: "<&\x1b\"]]>"}}, {Known: Known{Test: "TestX", Kind: evidence.Panic, Message: "second"}},
			{Known: Known{Test: "TestY", Message: "old"}, Baseline: true},
		}},
		{Path: "b", Verdict: check.Error, Reason: "does not build"},
		{Path: "c", Verdict: Untried, Reason: "the budget was spent before"},
	}}
	data, err := s.junit()
	if err != nil {
		t.Fatal(err)
	}
	var got suites
	if err := xml.Unmarshal(data, &got); err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	if want := (suiteCounts{Tests: 5, Failures: 1, Errors: 1, Skipped: 2}); got.suiteCounts != want {
		t.Errorf("counts %+v, want %+v", got.suiteCounts, want)
	}
	if text := got.Suites[0].Cases[0].Failure.Text; !strings.Contains(text, "second") {
		t.Errorf("the failure's text is %q", text)
	}
}

// The log for CI is valid, whatever failed where, and has the new failures alone.
func TestSARIF(t *testing.T) {
	module := t.TempDir()
	race := Failure{Known: Known{Test: "TestX", Kind: evidence.Race, Signature: "race: a b", Message: "<&\x1b\"]]>"}, Places: []check.Place{
		{Operation: "write", Function: "example.com/a.f", File: filepath.Join(module, "a b.go"), Line: 3},
		{Operation: "read", Function: "runtime.g"},
		{Operation: "read", Function: "strings.h", File: filepath.Join(string(filepath.Separator), "usr", "strings.go"), Line: 9},
	}}
	old := Failure{Known: Known{Test: "TestY", Kind: evidence.Panic, Message: "old"}, Baseline: true}
	nowhere := Failure{Known: Known{Kind: evidence.Deadlock, Message: "nobody knows where"}}
	for name, c := range map[string]struct {
		packages []Package
		rules    []string
	}{
		"nothing": {nil, nil},
		"known":   {[]Package{{Path: "a", Verdict: check.Failed, Failures: []Failure{old}}}, nil},
		"new":     {[]Package{{Path: "a", Verdict: check.Failed, Failures: []Failure{old, race}}, {Path: "b", Verdict: check.Failed, Failures: []Failure{nowhere}}}, []string{"mendel/race", "mendel/deadlock"}},
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			s := &Summary{Module: module, Packages: c.packages}
			if err := s.saveForCI(out); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(filepath.Join(out, sarifName))
			if err != nil {
				t.Fatal(err)
			}
			sariftest.Valid(t, data)
			var log sarif.Log
			if err := json.Unmarshal(data, &log); err != nil {
				t.Fatal(err)
			}
			var rules []string
			for _, run := range log.Runs {
				for _, r := range run.Results {
					rules = append(rules, r.RuleID)
				}
			}
			if !slices.Equal(rules, c.rules) {
				t.Errorf("results of %q, want %q", rules, c.rules)
			}
		})
	}
}

// What is left is shared by those that wait, less what building takes; the least share is
// a second.
func TestShare(t *testing.T) { synctest.Test(t, testShare) }

func testShare(t *testing.T) {
	r := &run{o: Options{Check: check.Options{Budget: 100 * time.Second}}, began: time.Now(), lanes: 2, waiting: 10}
	want := func(want time.Duration) {
		t.Helper()
		if got, ok := r.share(); !ok || got != want {
			t.Errorf("a share of %v, %v, want %v", got, ok, want)
		}
	}
	want(14 * time.Second) // seven tenths of 100 s * 2 / 10
	r.note(&check.Result{Building: 12})
	r.note(&check.Result{Building: 8})
	r.note(&check.Result{}) // it did not come so far
	want(100*time.Second*2/9 - 10*time.Second)
	r.note(&check.Result{Building: 1000})
	want(time.Second)
	r.waiting = 1
	want(100 * time.Second) // how long it builds, the check sees for itself
	r.began, r.waiting = time.Now().Add(-time.Hour), 1
	if _, ok := r.share(); ok {
		t.Error("a share of a budget that is spent")
	}
}

// What is under way when the budget ends is stopped, and told as what it has come to.
func TestLate(t *testing.T) { synctest.Test(t, testLate) }

func testLate(t *testing.T) {
	r := runOf(Options{}, nil)
	r.check = func(ctx context.Context, o check.Options) (*check.Result, error) {
		if o.Dir == "quick" {
			return &check.Result{Verdict: check.Passed, Schedules: 1}, nil
		}
		<-ctx.Done()
		res := &check.Result{Verdict: check.Inconclusive, Reason: "interrupted", Interrupted: true}
		switch o.Dir {
		case "explored":
			res.Schedules = 7
		case "failed":
			res.Verdict, res.Failures = check.Failed, []check.Failure{failing("new")}
		}
		return res, ctx.Err()
	}
	for _, name := range []string{"quick", "built", "explored", "failed"} {
		r.packages = append(r.packages, gotool.Package{Path: name, Dir: name, Tests: true})
	}
	r.o.Check.Workers = mostLanes
	r.each(t.Context())
	var got []string
	for _, p := range r.summary.Packages {
		got = append(got, fmt.Sprintf("%s %s: %s", p.Path, p.Verdict, p.Reason))
	}
	if want := []string{
		"quick passed: ", "built untried: the budget was spent before its first schedule",
		"explored inconclusive: the budget was spent after 7 schedules, none of which failed", "failed failed: interrupted",
	}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Packages are checked several at a time, by workers that they share, and told in their order.
func TestLanes(t *testing.T) {
	r := runOf(Options{}, nil)
	r.o.Check.Workers = 3
	var both sync.WaitGroup
	both.Add(2)
	r.check = func(_ context.Context, o check.Options) (*check.Result, error) {
		if o.Workers != 1 {
			t.Errorf("%d workers for each of three packages, want 1", o.Workers)
		}
		if o.Dir != "c" { // a and b end together, after c
			both.Done()
			both.Wait()
		}
		return &check.Result{Verdict: check.Passed}, nil
	}
	for _, name := range []string{"a", "b", "c"} {
		r.packages = append(r.packages, gotool.Package{Path: name, Dir: name, Tests: true})
	}
	r.each(t.Context())
	var paths []string
	for _, p := range r.summary.Packages {
		paths = append(paths, p.Path)
	}
	if want := []string{"a", "b", "c"}; !slices.Equal(paths, want) {
		t.Errorf("%q, want %q", paths, want)
	}
}
