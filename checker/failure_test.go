package checker

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/checker/sched"
	"mendel/checker/wire"
	"mendel/internal/gotool"
)

const bank = `package fake

import "sync"

type Account struct {
	mu     sync.Mutex
	amount int
}

func (a *Account) Deposit(n int) {
	a.amount += n
}

func Serve(a *Account) {
	go a.Deposit(1)
	go func() {
		a.Deposit(2)
	}()
}
`

// banker is a checker for the bank, not loaded.
func banker(t testing.TB) (*Binary, string) {
	t.Helper()
	dir := t.TempDir()
	p := programOf(t, dir, map[string]string{"bank.go": bank})
	return &Binary{checker: &Checker{c: Config{Program: p, Tool: &gotool.Toolchain{GOROOT: "/goroot"}}}}, filepath.Join(dir, "bank.go")
}

// The text of a real race report, deadlock, panic or failed test, and what the
// checker found at the same places, are one failure.
func TestLikeEvidence(t *testing.T) {
	b, file := banker(t)
	deposit := []sched.Frame{{Function: "sort.Slice", File: "/goroot/src/sort/slice.go", Line: 5}, {Function: "example.com/fake.(*Account).Deposit", File: file, Line: 11}}
	serve := []sched.Frame{{Function: "example.com/fake.Serve.func1", File: file, Line: 17}}
	place := func(what, goroutine string, stack []sched.Frame) sched.Place {
		return sched.Place{What: what, Goroutine: goroutine, Stack: stack, Function: stack[0].Function, File: stack[0].File, Line: stack[0].Line}
	}
	for _, c := range []struct {
		failure sched.Failure
		text    string
	}{
		{sched.Failure{Kind: sched.Race, Message: "data race at address 0x1:\n\tmore", Places: []sched.Place{place("read", "main", serve), place("write", "bank.go:15#1", deposit)}},
			`WARNING: DATA RACE
Write at 0x00c000012345 by goroutine 8:
  sort.Slice()
      /goroot/src/sort/slice.go:5 +0x44
  example.com/fake.(*Account).Deposit()
      ` + file + `:11 +0x44

Previous read at 0x00c000012345 by goroutine 7:
  example.com/fake.Serve.func1()
      ` + file + `:17 +0x44
==================
`},
		{sched.Failure{Kind: sched.Deadlock, Places: []sched.Place{place("Mutex.Lock", "main", deposit), place("channel receive", "bank.go:15#1", serve)}},
			`fatal error: all goroutines are asleep - deadlock!

goroutine 7 [sync.Mutex.Lock]:
sort.Slice()
	/goroot/src/sort/slice.go:5 +0x1
example.com/fake.(*Account).Deposit(0x1)
	` + file + `:11 +0x1

goroutine 8 [chan receive]:
example.com/fake.Serve.func1()
	` + file + `:17 +0x1
`},
		{sched.Failure{Kind: sched.Panic, Message: "panic: boom\nand more", Places: []sched.Place{place("panic", "main", deposit)}},
			`panic: boom

goroutine 7 [running]:
sort.Slice()
	/goroot/src/sort/slice.go:5 +0x1
example.com/fake.(*Account).Deposit(0x1)
	` + file + `:11 +0x1
exit status 2
`},
		{sched.Failure{Kind: sched.TestFailure, Message: "have 1, want 2", Places: []sched.Place{place("test-failure", "main", serve)}},
			"--- FAIL: TestBank (0.00s)\n    bank.go:17: have 1, want 2\n"},
	} {
		real := evidence.Parse([]byte(c.text))
		if len(real) != 1 {
			t.Fatalf("%s: %d failures in the text", c.failure.Kind, len(real))
		}
		got, want := b.failure("TestBank", wire.Failure{Failure: c.failure}), real[0]
		if got.Kind != want.Kind || got.Signature != want.Signature || got.Test != "TestBank" {
			t.Errorf("%s: signature %q, want %q", got.Kind, got.Signature, want.Signature)
		}
		if message := strings.Replace(want.Message, "previous ", "", 1); got.Message != message {
			t.Errorf("%s: message %q, want %q", got.Kind, got.Message, message)
		}
		for i, s := range want.Stacks {
			if got.Stacks[i].Role != s.Role || !slices.Equal(got.Stacks[i].Frames, s.Frames) {
				t.Errorf("%s: stack %+v, want %+v", got.Kind, got.Stacks[i], s)
			}
		}
	}
}

// Incomplete information is used.
func TestLittleKnown(t *testing.T) {
	b, file := banker(t)
	f := b.failure("TestBank", wire.Failure{Failure: sched.Failure{Kind: sched.Race, Places: []sched.Place{
		{What: "write", Goroutine: "bank.go:15#2"}, // the place was not recorded
		{What: "read", Goroutine: "bank.go:16#1", Function: "example.com/fake.Serve.func1", File: "example.com/fake/bank.go", Line: 17},
	}}})
	if len(f.Stacks) != 1 || f.Message != "data race: read in Serve.func1 bank.go:17" {
		t.Fatalf("%+v", f)
	}
	s := f.Stacks[0]
	if want := (evidence.Frame{Func: "example.com/fake.Serve.func1", File: file, Line: 17}); !slices.Equal(s.Frames, []evidence.Frame{want}) {
		t.Errorf("frames %+v, want the trimmed name made absolute: %+v", s.Frames, want)
	}
	if want := (evidence.Frame{Func: "example.com/fake.Serve", File: file, Line: 16}); !slices.Equal(s.Created, []evidence.Frame{want}) {
		t.Errorf("created %+v, want %+v", s.Created, want)
	}
	for _, name := range []string{"main", "go#3", "bank.go:x#1", "bank.go:4#1", "other.go:15#1", ""} {
		if got := b.checker.spawnSite(name); got != nil {
			t.Errorf("created by %q: %v", name, got)
		}
	}
	for kind, want := range map[string]string{
		sched.TestFailure: "test-failure: TestBank",
		sched.Panic:       "panic: ",
		sched.Timeout:     "timeout: TestBank",
		sched.Blocked:     "blocked: ",
	} {
		if f := b.failure("TestBank", wire.Failure{Failure: sched.Failure{Kind: kind, Message: "so what"}}); f.Signature != want || strings.Contains(f.Message, "\n") {
			t.Errorf("%s: %+v", kind, f.Failure)
		}
	}
}

// A race that the checker found tells the narrowing the variable.
func TestMerge(t *testing.T) {
	ctx := t.Context()
	dir := filepath.Join("..", "subjects", "account")
	tool, err := gotool.Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := analysistest.Load(ctx, tool, analysis.Target{Dir: tool.Dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	b := &Binary{checker: &Checker{c: Config{Program: p, Tool: tool}}}
	file := p.File("account.go")
	at := func(what, function, text string) sched.Place {
		before, _, ok := strings.Cut(string(file.Source), text)
		if !ok {
			t.Fatalf("%s has no %q", file.Name, text)
		}
		return sched.Place{What: what, Goroutine: "bank.go:49#1", Function: "example.com/account." + function, File: file.Name, Line: strings.Count(before, "\n") + 1}
	}
	f := b.failure("TestRing", wire.Failure{Failure: sched.Failure{Kind: sched.Race, Places: []sched.Place{
		at("write", "(*Account).Transfer", "to.amount += n"),
		at("read", "(*Account).Deposit", "a.amount += n"),
	}}})
	n := analysis.NarrowTo(p, func(analysis.FindingKind, string) bool { return false })
	if n.Merge(analysis.Given, f.Failure) == 0 {
		t.Fatal("nothing new")
	}
	_, _, variables := n.Findings()
	if len(variables) != 1 || variables[0].Name != "Account.amount" {
		t.Errorf("variables %v", variables)
	}
}

func TestDeclared(t *testing.T) {
	for name, want := range map[string]string{
		"example.com/bank.(*Account).Transfer":     "example.com/bank.(*Account).Transfer",
		"example.com/bank.zzinit2.func1":           "example.com/bank.init.1.func1",
		"example.com/bank.init.1.func1.zzinit1.1":  "example.com/bank.init.0.1",
		"example.com/bank.init.0.zzinit2_1.gowrap": "example.com/bank.init.0.gowrap",
	} {
		if got := declared(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// The engine calls the kinds of failure as package evidence does. What it cannot follow is none.
func TestKindsOfTheEngine(t *testing.T) {
	engine := []string{sched.Race, sched.Deadlock, sched.Blocked, sched.Panic, sched.TestFailure, sched.Timeout}
	for _, row := range evidence.Kinds {
		if !slices.Contains(engine, string(row.Kind)) {
			t.Errorf("the engine finds no %s", row.Words)
		}
	}
	if len(engine) != len(evidence.Kinds) || evidence.Kind(sched.Uncontrolled).Known() {
		t.Errorf("the engine finds %q", engine)
	}
}

// The headline of an assertion library's table is its error.
func TestHeadline(t *testing.T) {
	for said, want := range map[string]string{
		"a_test.go:7: got 1\nwant 2": "a_test.go:7: got 1",
		"a_test.go:7: \n    \tError Trace:\t/src/a_test.go:7\n    \tError:      \tNot equal: \n    \t            \texpected: 1\n    \t            \tactual  : 2\n    \t            \t\n    \t            \tDiff:\n    \tTest:       \tTestA\n": "a_test.go:7: Not equal: expected: 1 actual  : 2",
		"a_test.go:7: \n    \tError Trace:\t/src/a_test.go:7\n    \tError:      \tShould be true\n    \tTest:       \tTestA\n":                                                                                                                 "a_test.go:7: Should be true",
		"a_test.go:7: \n\n  Expected\n      <int>: 1": "a_test.go:7: Expected",
		"a_test.go:7: \n" + strings.Repeat("x", 200):  "a_test.go:7: " + strings.Repeat("x", 100) + "...",
		"a_test.go:7:": "a_test.go:7:",
		"":             "",
	} {
		if got := headline(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// A failure is one of a busy machine if it needs a time-out of the test to expire early, be it
// with one of the product; whether it needs both has to be known.
func TestBusy(t *testing.T) {
	own := TimeOut{Place: sched.Place{File: "/m/a_test.go"}, Lasts: time.Second}
	product := TimeOut{Place: sched.Place{File: "/m/a.go"}, Lasts: time.Minute}
	c := &Checker{c: Config{Program: &analysis.Program{}}}
	for _, tt := range []struct {
		timeOuts []TimeOut
		needed   bool
		want     bool
	}{
		{nil, true, false},
		{[]TimeOut{own}, false, true},
		{[]TimeOut{product}, true, false},
		{[]TimeOut{own, product}, false, false},
		{[]TimeOut{own, product}, true, false},
		{[]TimeOut{product, own}, false, false},
		{[]TimeOut{product, own}, true, true},
	} {
		f := &Failure{Failure: evidence.Failure{Kind: evidence.TestFailure, Test: "TestA"}, TimeOuts: tt.timeOuts, Needed: tt.needed}
		if got := c.busy(f); got != tt.want {
			t.Errorf("%d time-outs, needed %t: %t, want %t", len(tt.timeOuts), tt.needed, got, tt.want)
		}
		f.Kind = evidence.Race
		if c.busy(f) {
			t.Error("a race is no matter of load")
		}
	}
}

// The place of a failure in an assertion library is that of the assertion.
func TestPlaceOfAssertion(t *testing.T) {
	c := &Checker{c: Config{Tool: &gotool.Toolchain{GOROOT: "/go"}}}
	for _, tt := range []struct{ file, said, message, signature string }{
		{"/lib/require.go", "a_test.go:7: \n\tError:\tShould be true", "TestA: a_test.go:7: Should be true", "test-failure: TestA a_test.go:7"},
		{"/lib/require.go", "TestA/b: a_test.go:7: no", "TestA: TestA/b: a_test.go:7: no", "test-failure: TestA a_test.go:7"},
		{"/lib/require.go", "no", "TestA: require.go:3: no", "test-failure: TestA require.go:3"},
		{"/m/a_test.go", "a_test.go:3: no", "TestA: a_test.go:3: no", "test-failure: TestA a_test.go:3"},
		{"/m/a_test.go", "no", "TestA: a_test.go:3: no", "test-failure: TestA a_test.go:3"},
	} {
		f := &Failure{Failure: evidence.Failure{Kind: evidence.TestFailure, Test: "TestA"}}
		f.Stacks = []evidence.Stack{{Frames: []evidence.Frame{{Func: "f", File: tt.file, Line: 3}}}}
		message, signature := c.describe(f, tt.said)
		if message != tt.message || signature != tt.signature {
			t.Errorf("%s, %q: %q, %q; want %q, %q", tt.file, tt.said, message, signature, tt.message, tt.signature)
		}
	}
}
