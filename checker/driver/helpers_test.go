package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// events are what a test function did, in order.
type events struct {
	sync.Mutex
	list []string
}

func (e *events) note(args ...any) {
	e.Lock()
	defer e.Unlock()
	e.list = append(e.list, strings.TrimSuffix(fmt.Sprintln(args...), "\n"))
}

// really runs a test function as package testing does.
func really(f func(*testing.T)) (ok bool) {
	all := func(string, string) (bool, error) { return true, nil }
	return testing.RunTests(all, []testing.InternalTest{{Name: "TestX", F: f}})
}

// once makes the plain execution of a test function.
func once(t *testing.T, f func(*testing.T)) *sched.Execution {
	t.Helper()
	r := &runner{test: Test{"TestX", f}}
	defer r.dismiss()
	return r.execute(explore.NewGuided(nil), sched.Options{})
}

// compare runs a test function under package testing and under control. What it
// notes must be the same, and so must be whether it fails.
func compare(t *testing.T, f func(t *testing.T, note func(...any))) []string {
	t.Helper()
	var a, b events
	ok := really(func(t *testing.T) { f(t, a.note) })
	x := once(t, func(t *testing.T) { f(t, b.note) })
	if ok != (x.Failure == nil) {
		t.Errorf("under package testing it passes: %t; under control: %s", ok, outcome(x))
	}
	if !slices.Equal(a.list, b.list) {
		t.Errorf("under package testing:\n\t%s\nunder control:\n\t%s", strings.Join(a.list, "\n\t"), strings.Join(b.list, "\n\t"))
	}
	return a.list
}

// ask returns the answers to a request.
func ask(t *testing.T, s suite, r wire.Request) []wire.Answer {
	t.Helper()
	var out bytes.Buffer
	if err := answer(&out, s, &r); err != nil {
		t.Fatal(err)
	}
	var answers []wire.Answer
	for line := range strings.Lines(out.String()) {
		var a wire.Answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		answers = append(answers, a)
	}
	return answers
}

// checked returns the answer about a single test function.
func checked(t *testing.T, s wire.Search, f func(*testing.T)) *wire.Test {
	t.Helper()
	if s.Executions == 0 {
		s.Executions = 2000
	}
	return about(t, ask(t, suite{{Tests: []Test{{"TestX", f}}, Planted: race}},
		wire.Request{Mode: wire.Check, Tests: []string{"TestX"}, Search: s}))
}

// about returns the only answer about a test.
func about(t *testing.T, answers []wire.Answer) (test *wire.Test) {
	t.Helper()
	for _, a := range answers {
		if a.Test != nil {
			if test != nil {
				t.Fatal("two tests are answered")
			}
			test = a.Test
		}
	}
	if test == nil {
		t.Fatal("no test is answered")
	}
	return test
}

// race is a body with a data race.
func race() {
	n := new(int)
	sched.Go(func() { *sched.W(n) = 1 })
	*sched.W(n) = 2
}

// searchAll looks at all schedules.
var searchAll = wire.Search{Strategy: "dfs", Preemptions: -1}

// lineOf returns the number of the first line of a file that has a text.
func lineOf(t *testing.T, file, text string) string {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(source), text)
	if !ok {
		t.Fatalf("%s has no %q", file, text)
	}
	return strconv.Itoa(strings.Count(before, "\n") + 1)
}
