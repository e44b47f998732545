package localize

import (
	"context"
	"errors"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/internal/gotool"
)

// Tables of Fisher's exact test as textbooks have them: the lady tasting tea, and two
// series that differ clearly.
func TestFisher(t *testing.T) {
	for _, c := range []struct {
		failedA, runsA, failedB, runsB int
		want                           float64
	}{
		{3, 4, 1, 4, 0.4857142857},
		{1, 10, 11, 14, 0.0027594561852},
		{0, 8, 0, 8, 1},
		{5, 5, 0, 0, 1},
	} {
		if got := fisher(c.failedA, c.runsA, c.failedB, c.runsB); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("fisher(%d of %d, %d of %d) = %v, want %v", c.failedA, c.runsA, c.failedB, c.runsB, got, c.want)
		}
	}
}

// What AVIO calls unserialisable, and nothing else.
func TestUnserialisable(t *testing.T) {
	want := map[string]bool{"RWR": true, "WWR": true, "RWW": true, "WRW": true}
	for _, a := range []bool{false, true} {
		for _, b := range []bool{false, true} {
			for _, c := range []bool{false, true} {
				ops := letters(access{write: a}, access{write: b}, access{write: c})
				if unserialisable(a, b, c) != want[ops] {
					t.Errorf("%s: %t", ops, !want[ops])
				}
			}
		}
	}
}

// told makes an execution of accesses to one variable: goroutine, line, whether it
// writes.
func told(failed string, list ...[3]int) *execution {
	w := checker.Witness{}
	if failed != "" {
		w.Failure = &checker.Failure{}
		w.Failure.Signature = failed
	}
	for _, a := range list {
		w.Events = append(w.Events, checker.WitnessEvent{
			G: a[0], Kind: sched.KindAccess, Object: 1, Frame: sched.Frame{File: "a.go", Line: a[1]}, Memory: true, Write: a[2] == 1,
		})
	}
	return examine(w)
}

// The pattern that only failing executions have comes first, and one that passing
// ones have as often comes last.
func TestSuspicions(t *testing.T) {
	f := &checker.Failure{}
	f.Signature = "f"
	bad := [][3]int{{1, 10, 0}, {2, 20, 1}, {1, 11, 1}}  // read, another's write, write
	good := [][3]int{{1, 10, 0}, {1, 11, 1}, {2, 20, 1}} // one after the other
	list := suspicions(f, []*execution{told("f", bad...), told("f", bad...), told("", good...), told("", good...), told("other", good...)})
	if len(list) == 0 {
		t.Fatal("no pattern")
	}
	if s := list[0]; s.shape != between || s.ops != "RWW" || s.a.line != 10 || s.b.line != 20 || s.c.line != 11 || s.score != 1 || s.failed != 2 || s.passing != 0 {
		t.Errorf("first: %+v", s)
	}
	for _, s := range list {
		if s.shape == order && s.a.line == 11 && s.b.line == 20 {
			t.Errorf("a pattern of passing executions only: %+v", s)
		}
	}
}

// Two calls of one function belong together where a caller makes both.
func TestCommon(t *testing.T) {
	frame := func(function string, line int) sched.Frame {
		return sched.Frame{Function: function, File: "a.go", Line: line}
	}
	outer := []sched.Frame{frame("test", 1)}
	a := append([]sched.Frame{frame("get", 5), frame("twice", 10)}, outer...)
	c := append([]sched.Frame{frame("get", 5), frame("twice", 11)}, outer...)
	if p, q := common(a, c); p.line != 10 || q.line != 11 {
		t.Errorf("calls at %d and %d, want 10 and 11", p.line, q.line)
	}
	if p, _ := common(a, a); p.line != 0 {
		t.Errorf("one call: %d", p.line)
	}
	if p, _ := common(a, outer); p.line != 0 {
		t.Errorf("the caller itself: %d", p.line)
	}
}

// The lock that most places hold is the guard, whatever lock others hold.
func TestGuarded(t *testing.T) {
	held := map[int32]site{7: {"a.go", 1}}
	other := map[int32]site{8: {"a.go", 2}}
	places := map[site]*guarding{}
	guarded([]access{
		{at: site{"a.go", 10}, held: held}, {at: site{"a.go", 11}, held: held, write: true},
		{at: site{"a.go", 12}, held: other}, {at: site{"a.go", 13}},
	}, places)
	for line, want := range map[int]guarding{10: {total: 1, guarded: 1}, 12: {total: 1, others: 1}, 13: {total: 1}} {
		if got := places[site{"a.go", line}]; got.guarded != want.guarded || got.others != want.others || got.total != want.total {
			t.Errorf("line %d: %+v, want %+v", line, *got, want)
		}
	}
}

// load writes a module and loads it.
func load(t *testing.T, files map[string]string) *analysis.Program {
	t.Helper()
	dir := write(t, files)
	tool, err := gotool.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := analysistest.Load(context.Background(), tool, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if files["go.mod"] == "" {
		files["go.mod"] = "module example.com/x\n\ngo 1.25\n"
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Places of all kinds are numbered, the lines stay, and the result compiles.
func TestNoisePlaces(t *testing.T) {
	p := load(t, map[string]string{"x.go": `package x

import "sync"

var total int

type box struct {
	mu sync.Mutex
	n  int
}

func (b *box) get() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n
}

func (b *box) add() {
	b.mu.Lock()
	b.n++
	b.mu.Unlock()
	total++
}

func run() (n int) {
	done := make(chan bool)
	go func() {
		n = 1
		close(done)
	}()
	<-done
	return n
}
`})
	n := noise(p, NoiseKinds)
	var got []string
	for _, place := range n.places {
		got = append(got, place.kind)
	}
	want := "functions objects sections objects shared shared shared"
	if strings.Join(got, " ") != want {
		t.Errorf("kinds: %v, want %s", got, want)
	}
	for name, text := range n.files {
		if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		if f := p.File(name); f != nil && strings.Count(string(text), "\n") != strings.Count(string(f.Source), "\n") {
			t.Errorf("%s has other lines", name)
		}
	}
	name := filepath.Join(p.Packages[0].Dir, "x.go")
	if err := p.Check(map[string][]byte{name: append(n.files[name], "\nfunc mendelNoiseAt(int) {}\n"...)}); err != nil {
		t.Error(err)
	}
	if n := noise(p, []string{NoiseSections}); len(n.places) != 1 || n.places[0].at.line != 19 {
		t.Errorf("sections: %+v", n.places)
	}
}

// What there is nothing to localise in is one clear error.
func TestBadInput(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, c := range []struct {
		name, test string
		want       error
		says       string
	}{
		{"no tests", "", gotool.ErrNoTests, "nothing to localise"},
		{"sequential", "package x\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) { t.Error(one()) }\n", ErrSequential, "TestOne fails whatever the schedule"},
		{"not concurrent", "package x\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) { one() }\n", ErrNotConcurrent, "starts a goroutine"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"x.go": "package x\n\nfunc one() int { return 1 }\n"}
			if c.test != "" {
				files["x_test.go"] = c.test
			}
			_, err := Run(context.Background(), Options{Dir: write(t, files)})
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want %v with %q", err, c.want, c.says)
			}
		})
	}
	if _, err := Run(context.Background(), Options{Method: "magic"}); err == nil || !strings.Contains(err.Error(), "--method magic") {
		t.Errorf("error %v", err)
	}
}

// Of a lock that is read twice the acquisition that is left is the outer one.
func TestAcquisitionOfReader(t *testing.T) {
	at := func(function string) sched.Frame { return sched.Frame{Function: function, File: "s.go", Line: 1} }
	event := func(kind sched.Kind, function string) checker.WitnessEvent {
		return checker.WitnessEvent{Kind: kind, Object: 7, Took: true, Frame: at(function)}
	}
	x := examine(checker.Witness{Events: []checker.WitnessEvent{
		event(sched.KindRAcquire, "Walk"), event(sched.KindRAcquire, "Load"), event(sched.KindRRelease, "Load"),
	}})
	if got := x.acquisition(0, 7); got.Function != "Walk" {
		t.Errorf("the lock is held since %q", got.Function)
	}
	x = examine(checker.Witness{Events: append(x.Events, event(sched.KindRRelease, "Walk"))})
	if got := x.acquisition(0, 7); got.Function != "" {
		t.Errorf("the lock is held since %q, and nobody holds it", got.Function)
	}
}
