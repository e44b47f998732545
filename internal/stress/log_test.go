package stress

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
)

// A run in which two goroutines lock in one order or the other: numbers of goroutines and
// of locks depend on it, names do not.
func locked(swapped bool) checker.Witness {
	w := checker.Witness{Goroutines: []string{"main", "a_test.go:7#1", "a_test.go:7#2"}}
	add := func(g int, kind sched.Kind, object int32, operation string, line, with int) {
		w.Events = append(w.Events, checker.WitnessEvent{
			G: g, Kind: kind, Object: object, Operation: operation, With: with,
			Frame: sched.Frame{File: "/m/a.go", Line: line},
		})
	}
	add(0, sched.KindGo, 0, "go", 7, 1)
	add(0, sched.KindGo, 0, "go", 7, 2)
	order := []int{1, 2}
	if swapped {
		order = []int{2, 1}
	}
	for i, g := range order {
		object, own := int32(1), int32(2+i) // shared; and one of its own, numbered when it is used first
		add(g, sched.KindAcquire, own, "RWMutex.Lock", 10, -1)
		add(g, sched.KindAcquire, object, "Mutex.Lock", 11, -1)
		add(g, sched.KindRelease, object, "Mutex.Unlock", 12, -1)
	}
	return w
}

func TestNames(t *testing.T) {
	plain, swapped := namesOf(locked(false)), namesOf(locked(true))
	if got := strings.Join(plain.goroutines, " "); got != "main main/a_test.go:7#1 main/a_test.go:7#2" {
		t.Errorf("goroutines: %s", got)
	}
	const first, second = "RWMutex@a.go:10 of main/a_test.go:7#1", "RWMutex@a.go:10 of main/a_test.go:7#2"
	shared := "Mutex@a.go:11 of main/a_test.go:7#1"
	for name, c := range map[string]struct{ got, want []string }{
		"in order": {plain.objects[2:], []string{first, shared, shared, second, shared, shared}},
		"swapped":  {swapped.objects[2:], []string{second, shared, shared, first, shared, shared}},
	} {
		if strings.Join(c.got, "; ") != strings.Join(c.want, "; ") {
			t.Errorf("%s: objects\n%q, want\n%q", name, c.got, c.want)
		}
	}
}

// logOf writes a log of some runs and returns its name.
func logOf(t *testing.T, write func(*logger)) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "log")
	l, err := newLogger(name, "/m", nil)
	if err != nil {
		t.Fatal(err)
	}
	write(l)
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestCompare(t *testing.T) {
	name := logOf(t, func(l *logger) {
		l.native(Noise, 7, nil) // without steps: not to be compared
		l.controlled("TestA", locked(false), nil)
		l.controlled("TestA", locked(true), []evidence.Failure{lost()})
		l.controlled("TestB", locked(true), nil)
	})
	c, err := Compare(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.A) != 1 || len(c.B) != 1 || c.A[0].Run != 2 || c.B[0].Run != 3 || c.Test != "TestA" {
		t.Errorf("compared: %+v", c)
	}
	if c.Same != 2 || c.Next[0].Goroutine != "main/a_test.go:7#1" || c.Next[1].Goroutine != "main/a_test.go:7#2" {
		t.Errorf("%d steps in common, then %+v and %+v", c.Same, c.Next[0], c.Next[1])
	}
	for i, want := range []string{"#1 Mutex.Unlock (a.go:12) then #2 Mutex.Lock (a.go:11)", "#2 Mutex.Unlock (a.go:12) then #1 Mutex.Lock (a.go:11)"} {
		got := ""
		for _, o := range c.Only[i] {
			got += o.First.String() + " then " + o.Then.String()
		}
		if got = strings.ReplaceAll(got, "main/a_test.go:7", ""); got != want {
			t.Errorf("orders of %s alone: %s, want %s", side(i), got, want)
		}
	}
	same, err := Compare(name+":2", name+":2")
	if err != nil || same.Different() {
		t.Errorf("a run differs from itself: %+v, %v", same, err)
	}
}

func TestCompareRefuses(t *testing.T) {
	good := logOf(t, func(l *logger) { l.controlled("TestA", locked(false), nil) })
	bad := filepath.Join(t.TempDir(), "bad")
	if err := os.WriteFile(bad, []byte("{\"event\":\"begin\"}\nno JSON\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for want, names := range map[string][]string{
		"bad:2: no line of a log": {bad},
		"no such run":             {good}, // none that failed
		"compared with nothing":   {good + ":1"},
		"no such file":            {good + ".x"},
	} {
		if _, err := Compare(names...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", names, err, want)
		}
	}
}

// Of many runs that end alike some are told.
func TestLogIsBounded(t *testing.T) {
	name := logOf(t, func(l *logger) {
		for range 3 * loggedRuns {
			l.controlled("TestA", locked(false), nil)
			l.controlled("TestA", locked(true), []evidence.Failure{race()})
		}
	})
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), `"event":"begin"`); n != 2*loggedRuns {
		t.Errorf("%d runs are told, want %d", n, 2*loggedRuns)
	}
	if n := strings.Count(string(text), `"event":"race"`); n != loggedRuns {
		t.Errorf("%d races are told, want %d", n, loggedRuns)
	}
}
