package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/validate"
)

func TestAnnotatedGolden(t *testing.T) {
	for name, color := range map[string]bool{"annotated": false, "annotated-color": true} {
		t.Run(name, func(t *testing.T) {
			changes, edits := bank()
			edits = append(edits, mutate.Edit{
				Operator: "unlockbody", File: "bank/bank.go", Line: 11, Func: "(*Account).Print",
			})
			changes = append(changes, Change{Path: "same.go", Before: []byte("x"), After: []byte("x")})
			var b bytes.Buffer
			if err := Annotated(&b, changes, edits, color); err != nil {
				t.Fatal(err)
			}
			golden(t, name, b.String())
		})
	}
}

func TestSummaryGolden(t *testing.T) {
	full := story()
	other := *full.Fix
	other.Flags = []mutate.Flag{mutate.Nested, mutate.Serialises}
	full.Alternatives = []*validate.Fix{&other}
	full.PatchFiles = []string{"fix-1.patch", "fix-2.patch"}

	pairs := story()
	for range 4 {
		pairs.Failures = append(pairs.Failures, evidence.Failure{Kind: evidence.Race, Message: "another pair"})
	}

	bare := story()
	bare.Failures = nil
	bare.Fix.Race = false
	bare.Fix.Before.Passes, bare.Fix.Before.Failures = 0, map[evidence.Kind]int{evidence.Deadlock: 15}
	bare.Fix.Cost = validate.Cost{}
	bare.Fix.Guarded = -2
	bare.Fix.Quality = validate.Quality{}
	bare.Fix.Parallel = validate.Parallel{Processors: 2, After: 1.4, Rounds: 3}
	bare.Fix.Flags = []mutate.Flag{mutate.Blocks, mutate.DropsGuard, "of-tomorrow"}
	bare.Fix.Vet = validate.Check{Verdict: validate.Skipped, Detail: "the validation was stopped before"}
	bare.Fix.Tests = validate.TestCheck{Check: bare.Fix.Vet}

	for name, s := range map[string]Story{"summary": full, "summary-flagged": bare, "summary-many": pairs} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Summary(&b, s); err != nil {
				t.Fatal(err)
			}
			golden(t, name, b.String())
		})
	}
}

func TestSectionWords(t *testing.T) {
	many := []string{"a.go:1: channel send", "a.go:2: select", "a.go:3: time.Sleep", "a.go:4: fmt.Println", "a.go:5: log.Print"}
	const one = "The longest critical section that it creates or extends has 1 statement"
	for _, test := range []struct {
		quality validate.Quality
		want    string
	}{
		{validate.Quality{NewLocks: 1}, ""},
		{validate.Quality{LongestSection: 1}, one + "."},
		{validate.Quality{LongestSection: 1, NewLocks: 2, Blocking: many[:1]}, one + ", with 2 new locks. These operations in it may block: a.go:1: channel send."},
		// Four are shown rather than "1 more" told.
		{validate.Quality{LongestSection: 1, Blocking: many[:4]}, one + ". These operations in it may block: a.go:1: channel send; a.go:2: select; a.go:3: time.Sleep; a.go:4: fmt.Println."},
		{validate.Quality{LongestSection: 1, Blocking: many}, one + ". These operations in it may block: a.go:1: channel send; a.go:2: select; a.go:3: time.Sleep, and 2 more."},
	} {
		if got := sectionWords(test.quality); got != test.want {
			t.Errorf("got  %q\nwant %q", got, test.want)
		}
	}
}

func TestGuardWords(t *testing.T) {
	for _, test := range []struct {
		quality validate.Quality
		want    string
	}{
		{validate.Quality{LongestSection: 3}, ""},
		{validate.Quality{Unguarded: []string{"a", "b", "c", "d", "e"}}, "a; b; c; and 2 more."},
		{validate.Quality{Split: []string{"a is split"}, Unexercised: []string{"T.x", "T.y"}}, "a is split. Not exercised by the tests: the lock for T.x, T.y."},
		{validate.Quality{Omitted: []string{"T.x", "T.y"}}, "Without the lock for T.x, T.y, which the tests do not exercise."},
	} {
		if got := guardWords(test.quality); got != test.want {
			t.Errorf("got  %q\nwant %q", got, test.want)
		}
	}
}

// A fix that nothing but the checker has confirmed says so.
func TestWithoutNoise(t *testing.T) {
	s := story()
	s.Fix.Confirmed = validate.Confirmation{}
	var b bytes.Buffer
	if err := Summary(&b, s); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"No run under noise", "only the model checker"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the summary does not say %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "0 runs") {
		t.Errorf("the summary tells of no runs that passed:\n%s", b.String())
	}
}

func TestSubject(t *testing.T) {
	s := story()
	s.Fix.Mutant = &mutate.Mutant{Edits: []mutate.Edit{
		{Func: "(*Account).Transfer"}, {Func: "(*Account).Transfer"}, {Func: "(*Account).Balance"}, {File: "x.go"},
	}}
	if got, want := s.subject(), "Fix data race in (*Account).Transfer, (*Account).Balance and x.go"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Failures = nil
	s.Fix.Mutant.Edits[3].Func = strings.Repeat("x", 60)
	if got, want := s.subject(), "Fix concurrency failure in (*Account).Transfer and 2 more"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFailed(t *testing.T) {
	p := &analysis.Program{Module: "/m"}
	f := evidence.Failure{
		Kind: evidence.Panic,
		// Output of the program under test: it must not move the cursor or break the layout.
		Message: "panic: \x1b[2Joops\nsecond line",
		Stacks: []evidence.Stack{
			{Frames: []evidence.Frame{{Func: "a.b/c/d.F", File: "/m/d/f.go", Line: 3}}},
			{Role: "panic", Frames: []evidence.Frame{{Func: "other.F", File: "/elsewhere/f.go", Line: 4}}},
			{Role: "panic", Frames: []evidence.Frame{{Func: "other.F", File: "/elsewhere/f.go", Line: 4}}},
			{Frames: []evidence.Frame{{Func: "d.Map[a.b/c.K].Get", File: "/m/../m/d/m.go", Line: 5}}},
		},
	}
	var b bytes.Buffer
	if err := Failed(&b, p, f, 3, 40); err != nil {
		t.Fatal(err)
	}
	want := `panic, in 3 of 40 runs
  panic: ?[2Joops second line
  d/f.go:3 in d.F
  panic at /elsewhere/f.go:4 in other.F
  d/m.go:5 in d.Map[a.b/c.K].Get
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestChance(t *testing.T) {
	for _, test := range []struct {
		p    float64
		want string
	}{
		{1e-12, "less than one in a billion"},
		{1.37e-7, "about 1 in 7,300,000"},
		{0.00044, "about 1 in 2,300"},
		{0.0099, "about 1 in 100"},
		{0.012, "about 1 %"},
		{0.86, "about 86 %"},
		{1, "about 100 %"},
	} {
		if got := chance(math.Log(test.p)); got != test.want {
			t.Errorf("%v: got %q, want %q", test.p, got, test.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "- \n"},
		{"one two", "- one two\n"},
		{"one two three four", "- one two\n  three four\n"},
		{"averyveryverylongword x", "- averyveryverylongword\n  x\n"},
		{"äöü äöü äö äöü", "- äöü äöü äö\n  äöü\n"},
	} {
		if got := wrap(test.text, 12, "- ", "  "); got != test.want {
			t.Errorf("wrap(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

// An edit is noted at the hunk that holds its line, at the nearest one when
// none does, and its new lock once where it is declared.
func TestNotes(t *testing.T) {
	var before, after bytes.Buffer
	before.Write(numbers(1, 60))
	after.Write(numbers(1, 9))
	after.WriteString("ten\n")
	after.Write(numbers(11, 49))
	after.WriteString("fifty\n")
	after.Write(numbers(51, 60))
	c := Change{Path: "a.go", Before: before.Bytes(), After: after.Bytes()}
	lock := &analysis.Lock{Expr: "mu", New: &analysis.NewLock{Kind: "package", Name: "mu", File: "a.go", Offset: 0}}
	edits := []mutate.Edit{
		{File: "a.go", Line: 50, Operator: "inside", Lock: lock},
		{File: "a.go", Line: 35, Operator: "nearest", Lock: lock},
		{File: "b.go", Line: 10, Operator: "elsewhere"},
		{File: "a.go", Line: 1, Operator: "above"},
	}
	got := notes(hunks(c), c, edits)
	var flat []string
	for _, hunk := range got {
		for _, n := range hunk {
			flat = append(flat, n.lines...)
		}
		flat = append(flat, "--")
	}
	want := []string{
		"# line 1: declares mu", "# line 1: above", "--",
		"# line 35: nearest mu (a new package variable)", "# line 50: inside mu (a new package variable)", "--",
	}
	if strings.Join(flat, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(flat, "\n"), strings.Join(want, "\n"))
	}
}
