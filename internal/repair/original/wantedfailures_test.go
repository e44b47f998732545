package original

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/internal/result"
)

// A report need not say of which package it is: functions, files and tests do.
func TestFinder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a_test.go":       "package a\n\nfunc TestRoot(t *testing.T) {}\nfunc TestBoth(t *testing.T) {}\n",
		"sub/b_test.go":   "package sub\n\nfunc TestSub(t *testing.T) {}\nfunc TestBoth(t *testing.T) {}\n",
		"cmd/srv/main.go": "package main\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f := finder{dir, []gotool.Package{
		{Path: "example.com/a", Dir: dir},
		{Path: "example.com/a/cmd/srv", Dir: filepath.Join(dir, "cmd", "srv")},
		{Path: "example.com/a/sub", Dir: filepath.Join(dir, "sub")},
	}}
	stack := func(frames ...evidence.Frame) []evidence.Stack { return []evidence.Stack{{Frames: frames}} }
	in := func(fn, file string) evidence.Frame { return evidence.Frame{Func: fn, File: file, Line: 1} }
	for _, tt := range []struct {
		name   string
		pkg    string
		test   string
		stacks []evidence.Stack
		want   string
	}{
		{name: "said", pkg: "example.com/a/sub", want: "example.com/a/sub"},
		{name: "said, but of another module", pkg: "example.com/z", want: ""},
		{name: "by its function", stacks: stack(in("example.com/a/sub.f", "/x/f.go")), want: "example.com/a/sub"},
		{
			name: "by its test, not where it failed", want: "example.com/a/sub",
			stacks: stack(in("example.com/a.f", "/x/f.go"), in("example.com/a/sub_test.TestX", "/x/sub/b_test.go"), in("testing.tRunner", "/go/src/testing/testing_test.go")),
		},
		{
			name: "by where it was started", want: "example.com/a/sub",
			stacks: []evidence.Stack{{Frames: []evidence.Frame{in("sync.(*Mutex).Lock", "/go/src/sync/mutex.go")}, Created: []evidence.Frame{in("example.com/a/sub.f", "/x/f.go")}}},
		},
		{name: "a command", stacks: stack(in("main.main", `C:\src\a\cmd\srv\main.go`)), want: "example.com/a/cmd/srv"},
		{name: "a fork", stacks: stack(in("example.org/me/sub.f", "/go/src/example.org/me/sub/f.go")), want: "example.com/a/sub"},
		{name: "another module's", stacks: stack(in("example.org/me/other.f", "/go/src/example.org/me/sub/f.go")), want: ""},
		{name: "only the test's name", test: "TestSub/one", want: "example.com/a/sub"},
		{name: "a test of two", test: "TestBoth", want: ""},
		{name: "a test of none", test: "TestGone", want: ""},
		{name: "nothing", want: ""},
	} {
		named := evidence.Named{Package: tt.pkg, Failure: evidence.Failure{Test: tt.test, Stacks: tt.stacks}}
		if got := f.find(named); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

const pairModule = `package pair

import "sync"

type Pair struct {
	mu   sync.Mutex
	a, b int
}

func (p *Pair) Add() { p.a++ }

func (p *Pair) Swap() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.a, p.b = p.b, p.a
}
`

// loadPair loads a small module with two tests.
func loadPair(t *testing.T) *analysis.Program {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module example.com/pair\n\ngo 1.25\n",
		"pair.go":      pairModule,
		"pair_test.go": "package pair\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) { new(Pair).Add() }\n\nfunc TestSwap(t *testing.T) { new(Pair).Swap() }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := analysistest.Load(context.Background(), nil, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// failure makes one of goroutines at lines of pair.go.
func pairFailure(kind evidence.Kind, test string, lines ...int) evidence.Failure {
	f := evidence.Failure{Kind: kind, Test: test, Signature: string(kind) + " of " + test, Message: string(kind)}
	for _, line := range lines {
		fn := "example.com/pair.(*Pair).Swap"
		if line == 10 {
			fn = "example.com/pair.(*Pair).Add"
		}
		f.Stacks = append(f.Stacks, evidence.Stack{Role: "r", Frames: []evidence.Frame{
			{Func: "sync.(*Mutex).Lock", File: "/usr/local/go/src/sync/mutex.go", Line: 46},
			{Func: fn, File: "/ci/build/pair/pair.go", Line: line},
		}})
	}
	return f
}

// wantedFrom is a baseline of which the failures in a file are wanted.
func wantedFrom(t *testing.T, p *analysis.Program, failures ...evidence.Failure) *Baseline {
	t.Helper()
	in := &Input{file: "x.log"}
	for _, f := range failures {
		in.failures = append(in.failures, evidence.Named{Failure: f})
	}
	b := baselineFor(result.Wanted{})
	b.setup.Program = p
	var err error
	if b.only, err = in.Match(b.setup); err != nil {
		t.Fatal(err)
	}
	b.setup.Run = b.only.Pattern()
	return b
}

// Only what a file names counts as reproduced, what explains it included.
func TestWantedMatches(t *testing.T) {
	p := loadPair(t)
	const race, deadlock, blocked, timeout = evidence.Race, evidence.Deadlock, evidence.Blocked, evidence.Timeout
	const crash, failed = evidence.Panic, evidence.TestFailure
	for _, tt := range []struct {
		name        string
		asked, seen evidence.Failure
		noRace      bool
		want        bool
	}{
		{name: "the same line", asked: pairFailure(race, "TestAdd", 10, 15), seen: pairFailure(race, "", 10, 10), want: true},
		{name: "other lines of the same functions", asked: pairFailure(race, "TestAdd", 10, 14), seen: pairFailure(race, "TestSwap", 10, 15), want: true},
		{name: "another race", asked: pairFailure(race, "TestAdd", 10, 10), seen: pairFailure(race, "TestAdd", 15, 15), want: false},
		{name: "another kind", asked: pairFailure(race, "TestAdd", 10, 10), seen: pairFailure(crash, "TestAdd", 10), want: false},
		{name: "what a race does, without a detector", asked: pairFailure(race, "TestAdd", 10, 10), seen: pairFailure(failed, "TestAdd"), noRace: true, want: true},
		{name: "deadlock as a blocked goroutine", asked: pairFailure(blocked, "", 13), seen: pairFailure(deadlock, "TestSwap", 13), want: true},
		{name: "blocked elsewhere", asked: pairFailure(blocked, "", 13), seen: pairFailure(deadlock, "TestSwap", 10), want: false},
		{name: "timed out", asked: pairFailure(timeout, "TestSwap"), seen: pairFailure(deadlock, "TestSwap", 13), want: true},
		{name: "deadlock seen as a time-out", asked: pairFailure(deadlock, "TestSwap", 13), seen: pairFailure(timeout, "TestSwap"), want: true},
		{name: "another test timed out", asked: pairFailure(timeout, "TestSwap"), seen: pairFailure(timeout, "TestAdd"), want: false},
		{name: "a race explains a wrong result", asked: pairFailure(failed, "TestAdd/sub"), seen: pairFailure(race, "TestAdd", 10, 10), want: true},
		{name: "of another test", asked: pairFailure(failed, "TestAdd"), seen: pairFailure(race, "TestSwap", 10, 10), want: false},
		{name: "a wrong result explains no race", asked: pairFailure(race, "TestAdd", 10, 10), seen: pairFailure(failed, "TestAdd"), want: false},
		{name: "another message of the test", asked: pairFailure(failed, "TestAdd"), seen: pairFailure(failed, "TestAdd/b"), want: true},
		{name: "the same panic", asked: pairFailure(crash, "", 15), seen: pairFailure(crash, "", 13), want: true},
		{name: "another panic", asked: pairFailure(crash, "", 10), seen: pairFailure(crash, "", 13), want: false},
	} {
		b := wantedFrom(t, p, tt.asked)
		b.only.noRace = tt.noRace
		tt.seen.Signature += " seen"
		if got := b.only.matches(tt.seen); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	var nothing *WantedFailures
	if !nothing.matches(pairFailure(race, "")) || !nothing.found(nil) || nothing.shown(noise.Outcome{Pass: true}) || !nothing.shown(noise.Outcome{}) {
		t.Error("without a file whatever fails is repaired")
	}
}

// A pattern is set only where every failure names its test.
func TestWantedPattern(t *testing.T) {
	p := loadPair(t)
	for _, tt := range []struct {
		want     string
		failures []evidence.Failure
	}{
		{"^TestAdd$", []evidence.Failure{pairFailure(evidence.TestFailure, "TestAdd/sub")}},
		{"^(TestAdd|TestSwap)$", []evidence.Failure{pairFailure(evidence.Race, "TestSwap", 10), pairFailure(evidence.Panic, "TestAdd", 10), pairFailure(evidence.Deadlock, "TestAdd", 10)}},
		{"", []evidence.Failure{pairFailure(evidence.Race, "TestSwap", 10), pairFailure(evidence.Race, "", 13)}},
		{"", []evidence.Failure{pairFailure(evidence.Race, "TestGone", 10)}},
	} {
		b := wantedFrom(t, p, tt.failures...)
		if got := b.only.Pattern(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// Of a baseline stays what was asked for; the rest is told.
func TestKeepWanted(t *testing.T) {
	p := loadPair(t)
	asked := pairFailure(evidence.Race, "TestAdd", 10, 10)
	other := pairFailure(evidence.Deadlock, "TestSwap", 13)
	seen := func(failures ...evidence.Failure) *Baseline {
		b := wantedFrom(t, p, asked)
		b.Noised = []noise.Outcome{{Failures: failures}}
		b.Checked = &checker.Report{Schedules: 7}
		b.summarise()
		return b
	}
	b := seen(other, asked)
	if err := b.keepWanted(); err != nil {
		t.Fatal(err)
	}
	if len(b.Failures) != 1 || b.Failures[0].Kind != evidence.Race || b.Kind != evidence.Race {
		t.Errorf("kept %+v, kind %s", b.Failures, b.Kind)
	}
	if notes := b.setup.Progress.Noted(); len(notes) != 1 || !strings.HasPrefix(notes[0], "also seen, not asked for; a fix has to end it as well") {
		t.Errorf("notes %q", notes)
	}
	if b.only.missed(b.Noised) {
		t.Error("missed is wrong about noised runs")
	}

	b = seen(other)
	var nothing *NotReproduced
	ok := errors.As(b.keepWanted(), &nothing)
	const want = "what x.log names (race) did not show in 1 noised runs of ^TestAdd$ and 7 schedules of the checker; another did: without --from it is repaired; "
	if !ok || !strings.HasPrefix(nothing.Reason, want) {
		t.Errorf("%+v, want %q", nothing, want)
	}
	if notes := b.setup.Progress.Noted(); !slices.Equal(notes, []string{"also seen, not asked for: deadlock"}) {
		t.Errorf("notes %q", notes)
	}
	if !b.only.missed(b.Noised) {
		t.Error("missed is wrong about noised runs")
	}
}
