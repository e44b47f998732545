package checker

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	goversion "go/version"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/checker/sched/explore"
	"mendel/internal/sample"
)

// The corpus is the archives of testdata/verdicts: each is a module with one
// package of tests, and each test is a program by itself. The last line of its
// doc comment is the verdict that it must get:
//
//	want: exhausted
//	want: passed
//	want: failed race
//	want: inconclusive PART
//	want: not exhausted PART
//
// The kind of a failure is one of package evidence. PART is a part of the reason
// and may be left out. "not exhausted" is passed or inconclusive. Options for
// the search follow in brackets: [bound 1, schedules 50]. There are bound,
// schedules, steps, strategy and patience.
//
// An archive whose comment has a line "needs: go1.N" is for toolchains from there on. One
// with a line "instrument: PATTERN" is loaded with that pattern (analysis.Target).
//
// A line "known: WHY" before it says that the checker is wrong about this
// program. Then it must be wrong: the line is to go when it is right.

const (
	// A test gets so many schedules to be exhausted or to fail. Programs of the
	// corpus are small: a correct checker needs fewer.
	corpusSchedules = 20_000
	// Those that are not to be exhausted get fewer: they never end by themselves.
	corpusSample = 200
)

// A verdictProgram is a test of the corpus.
type verdictProgram struct {
	name   string
	want   string // "failed", ...
	detail string // the kind of the failure, or part of the reason
	known  string // why the checker is wrong about it
	search Search
}

// Where not all are asked for, these archives are checked, of each kind of what programs
// synchronise by one, and so many programs of each: to build an archive takes longer than to
// check some of its programs.
var corpusArchives = []string{"atomics", "clock", "library-correct", "locks", "synchronisers"}

const corpusPart = 20

// TestCorpusVerdicts checks the programs of the corpus, some of corpusArchives: all of an
// archive that -run names, and of each with MENDEL_TESTS=whole. One line of its output is one
// program about which the checker is wrong.
func TestCorpusVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many programs")
	}
	archives, err := filepath.Glob("testdata/verdicts/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("archives %q, %v", archives, err)
	}
	for _, file := range archives {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if !sample.All() && !slices.Contains(corpusArchives, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			skipBefore(t, file)
			programs, pkg, err := verdictPrograms(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(unpack(t, file), pkg)
			instrument := instrumentedIn(t, file)
			b := build(t, load(t, dir, analysis.Target{Unedited: true, Instrument: instrument}, Config{Workers: 1, Instrument: instrument}))
			programs = sample.Of(corpusPart, programs)
			reports := checkTogether(t, b, programs)
			replays := replayTogether(t, b, reports)
			alone := 0
			for _, p := range programs {
				t.Run(p.name, func(t *testing.T) {
					if p.known == "" && p.wrong(reports[p.name], replays[p.name], nil) == "" {
						return
					}
					var r *Report
					if alone++; p.alone() {
						r = reports[p.name]
					}
					p.check(t, name, b, r)
				})
			}
			t.Logf("%d of %d programs were checked alone", alone, len(programs))
		})
	}
}

// instrumentedIn is the pattern of an archive's line "instrument: PATTERN".
func instrumentedIn(t testing.TB, file string) []string {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, pattern, ok := strings.Cut(string(archive.Comment), "instrument: ")
	if !ok {
		return nil
	}
	pattern, _, _ = strings.Cut(pattern, "\n")
	return []string{strings.TrimSpace(pattern)}
}

// skipBefore skips an archive with a line "needs: go1.N" where the toolchain is older.
func skipBefore(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, needs, ok := strings.Cut(string(archive.Comment), "needs: ")
	here, _, _ := strings.Cut(runtime.Version(), " ")
	if asked := os.Getenv("GOTOOLCHAIN"); goversion.IsValid(asked) {
		here = asked
	}
	needs, _, _ = strings.Cut(needs, "\n")
	if needs = strings.TrimSpace(needs); ok && goversion.Compare(here, needs) < 0 {
		t.Skipf("needs %s, and this is %s", needs, here)
	}
}

// wrong says how a report, or the replay of its failure, is not what is wanted; "" if it is.
func (p *verdictProgram) wrong(r *Report, again *Replayed, err error) string {
	if r == nil {
		return "no report"
	}
	if wrong := p.differs(r); wrong != "" || r.Verdict != explore.Failed {
		return wrong
	}
	return unlike(&r.Failures[0], again, err)
}

// check reports a wrong verdict about one program, which it checks alone unless it has
// been (r), and whose failure it replays alone.
func (p *verdictProgram) check(t *testing.T, archive string, b *Binary, r *Report) {
	if r == nil {
		r = mustCheck(t, b, p.search)
	}
	var err error
	var again *Replayed
	if len(r.Failures) > 0 {
		again, err = b.Replay(context.Background(), r.Failures[0].Schedule)
	}
	wrong := p.wrong(r, again, err)
	switch {
	case p.known != "" && wrong == "":
		t.Errorf("%s %s: the verdict is right: remove %q", archive, p.name, "known: "+p.known)
	case p.known == "" && wrong != "":
		t.Errorf("%s %s: want %s, got %s", archive, p.name, strings.TrimSpace(p.want+" "+p.detail), wrong)
	}
	t.Logf("%v, %.2f s", r, r.Seconds)
}

// differs says how a report is not what is wanted; "" if it is.
func (p *verdictProgram) differs(r *Report) string {
	got := r.String()
	if r.Verdict == explore.Failed {
		f := r.Failures[0]
		got = fmt.Sprintf("failed %s (%s)", f.Kind, f.Message)
	}
	right := string(r.Verdict) == p.want
	switch p.want {
	case "exhausted":
		asked := cmp.Or(p.search.Preemptions, 2)
		right = r.Verdict == explore.Covered || right && (r.Bound < 0 || asked >= 0 && r.Bound >= asked) // covered says more
	case "not exhausted":
		right = r.Verdict == explore.Passed || r.Verdict == explore.Inconclusive
		fallthrough
	case "inconclusive":
		right = right && strings.Contains(r.Reason, p.detail)
	case "failed":
		right = right && string(r.Failures[0].Kind) == p.detail
	}
	if right {
		return ""
	}
	return got
}

// unlike says how the replay of a failure is not the same failure.
func unlike(f *Failure, again *Replayed, err error) string {
	switch {
	case err != nil:
		return "a replay that cannot be made: " + err.Error()
	case again == nil:
		return f.Message + ", which was not replayed"
	case again.Diverged != "":
		return "a replay that diverges: " + again.Diverged
	case again.Failure == nil:
		return fmt.Sprintf("%s, which does not fail when replayed (%s)", f.Message, again.Reason)
	case again.Failure.Signature != f.Signature:
		return fmt.Sprintf("%s, replayed as %s", f.Signature, again.Failure.Signature)
	}
	return ""
}

// verdictPrograms reads the tests of an archive, and the directory in it that
// has them.
func verdictPrograms(file string) (programs []*verdictProgram, dir string, err error) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		return nil, "", err
	}
	for _, f := range archive.Files {
		if !strings.HasSuffix(f.Name, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", file, err)
		}
		dir = filepath.Dir(filepath.FromSlash(f.Name))
		for _, test := range syntax.Tests(tree) {
			p, err := verdictOf(test.Name, docOf(tree, test.Name))
			if err != nil {
				return nil, "", fmt.Errorf("%s: %s: %w", file, test.Name, err)
			}
			programs = append(programs, p)
		}
	}
	if len(programs) == 0 {
		return nil, "", fmt.Errorf("%s has no tests", file)
	}
	return programs, dir, nil
}

// docOf is the doc comment of a function.
func docOf(file *ast.File, name string) string {
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name {
			return strings.TrimSpace(fn.Doc.Text())
		}
	}
	return ""
}

var verdictWords = []string{"exhausted", "passed", "failed", "inconclusive", "not exhausted"}

// verdictOf reads what is wanted of a test from its doc comment.
func verdictOf(name, doc string) (*verdictProgram, error) {
	p := &verdictProgram{name: name, search: Search{Tests: []string{name}, Seed: 1, Budget: time.Minute}}
	lines := strings.Split(doc, "\n")
	for _, line := range lines {
		if why, ok := strings.CutPrefix(line, "known: "); ok {
			p.known = why
		}
	}
	want, ok := strings.CutPrefix(lines[len(lines)-1], "want: ")
	if !ok {
		return nil, fmt.Errorf("its doc comment does not end with a line %q", "want: VERDICT")
	}
	want, options, _ := strings.Cut(want, "[")
	want = strings.TrimSpace(want)
	for _, word := range verdictWords {
		if rest, ok := strings.CutPrefix(want, word); ok {
			p.want, p.detail = word, strings.TrimSpace(rest)
		}
	}
	p.search.Schedules = corpusSchedules
	switch p.want {
	case "":
		return nil, fmt.Errorf("want: %s: the verdicts are %q", want, verdictWords)
	case "failed":
		if !slices.ContainsFunc(kindNames(), func(k string) bool { return k == p.detail }) {
			return nil, fmt.Errorf("want: %s: the kinds are %q", want, kindNames())
		}
	case "passed", "inconclusive", "not exhausted":
		p.search.Schedules = corpusSample
	}
	return p, p.options(strings.TrimSuffix(options, "]"))
}

func kindNames() (names []string) {
	for _, row := range evidence.Kinds {
		names = append(names, string(row.Kind))
	}
	slices.Sort(names)
	return names
}

// options reads options of the search: "bound 1, schedules 50".
func (p *verdictProgram) options(text string) (err error) {
	for option := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(option), " ")
		switch name {
		case "":
		case "bound":
			p.search.Preemptions, err = strconv.Atoi(value)
		case "schedules":
			p.search.Schedules, err = strconv.Atoi(value)
		case "steps":
			p.search.Steps, err = strconv.Atoi(value)
		case "strategy":
			p.search.Strategy = value
		case "patience":
			p.search.Patience, err = time.ParseDuration(value)
		default:
			err = fmt.Errorf("there is no option %q", name)
		}
		if err != nil {
			return fmt.Errorf("[%s]: %w", text, err)
		}
	}
	return nil
}

func TestVerdictOf(t *testing.T) {
	race := &Report{Verdict: explore.Failed, Failures: []Failure{{}}}
	race.Failures[0].Kind = "race"
	exhausted, stuck := &Report{Verdict: explore.Exhausted, Bound: -1}, &Report{Verdict: explore.Inconclusive, Reason: "it is stuck"}
	for _, test := range []struct {
		doc   string
		right *Report
		wrong []*Report
	}{
		{"Two of them.\n\nwant: failed race", race, []*Report{exhausted, stuck}},
		{"want: failed blocked", nil, []*Report{race}},
		{"want: exhausted [bound 1]", exhausted, []*Report{race, stuck, {Verdict: explore.Exhausted}}},
		{"want: exhausted", &Report{Verdict: explore.Exhausted, Bound: 2}, []*Report{{Verdict: explore.Exhausted, Bound: 1}}},
		{"want: exhausted [bound -1]", exhausted, []*Report{{Verdict: explore.Exhausted, Bound: 3}}},
		{"want: inconclusive is stuck", stuck, []*Report{race, exhausted}},
		{"want: not exhausted", stuck, []*Report{race, exhausted}},
		{"want: not exhausted for ever", nil, []*Report{stuck}},
		{"want: passed", &Report{Verdict: explore.Passed}, []*Report{stuck}},
	} {
		p, err := verdictOf("TestX", test.doc)
		if err != nil {
			t.Errorf("%q: %v", test.doc, err)
			continue
		}
		if test.right != nil && p.differs(test.right) != "" {
			t.Errorf("%q: %v is not taken for right", test.doc, test.right)
		}
		for _, wrong := range test.wrong {
			if p.differs(wrong) == "" {
				t.Errorf("%q: %v is taken for right", test.doc, wrong)
			}
		}
	}
	p, err := verdictOf("TestX", "known: it is hard\n\nwant: passed [bound -1, schedules 7, steps 8, strategy pct, patience 1s]")
	if s := p.search; err != nil || p.known != "it is hard" || s.Preemptions != -1 || s.Schedules != 7 || s.Steps != 8 || s.Strategy != "pct" || s.Patience != time.Second {
		t.Errorf("%+v, %v", p, err)
	}
	for _, doc := range []string{"", "want: nothing", "want: failed", "want: failed race\nmore", "want: passed [bound x]", "want: passed [much 1]"} {
		if _, err := verdictOf("TestX", doc); err == nil {
			t.Errorf("%q: no error", doc)
		}
	}
}
