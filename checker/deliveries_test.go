package checker

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mendel/analysis"
	"mendel/checker/sched/explore"
)

const (
	reporter = `package zoo

func report(c chan int, ended chan struct{}) {
	c <- 7
	close(ended)
}

func collect() int {
	c, ended := make(chan int), make(chan struct{})
	go report(c, ended)
	select {
	case n := <-c:
		return n
	case <-ended:
		return 0
	}
}
`
	reporterTest = `package zoo

import "testing"

func TestCollect(t *testing.T) { collect() }
`
)

// hasty loses the result when no goroutine waits yet.
var hasty = strings.Replace(reporter, "\tc <- 7\n", "\tselect {\n\tcase c <- 7:\n\tdefault:\n\t}\n", 1)

// ints are the messages of type int along a schedule.
func ints(d Delivered) (n int) {
	for _, m := range d.Messages {
		if m.Type == "int" {
			n += m.Count
		}
	}
	return n
}

// Deliveries have the places of the program's source. A mutant is guided along the
// same schedules, in a binary of its own and in a shared one.
func TestDelivered(t *testing.T) {
	dir := module(t, map[string]string{"zoo.go": reporter, "zoo_test.go": reporterTest})
	c := load(t, dir, analysis.Target{}, Config{})
	name := filepath.Join(c.c.Program.Packages[0].Dir, "zoo.go")
	original := build(t, c)
	r := mustCheck(t, original, Search{Deliver: 20, All: true, Budget: 5 * time.Second})
	if len(r.Delivered) == 0 || len(r.Delivered) > 20 {
		t.Fatalf("%d schedules delivered: %+v", len(r.Delivered), r)
	}
	for _, d := range r.Delivered {
		for _, m := range d.Messages {
			if m.File != name || m.Line != 9 {
				t.Errorf("a message to a channel made at %s:%d", m.File, m.Line)
			}
		}
		if d.Schedule.Test != "TestCollect" || ints(d) != 1 {
			t.Errorf("%+v", d)
		}
	}
	mutants, err := c.BuildAll(t.Context(), []map[string][]byte{{name: []byte(hasty)}, {name: []byte(reporter + "\nfunc unused() {}\n")}})
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range mutants {
		if m.Err != nil {
			t.Fatal(m.Err)
		}
		defer m.Binary.Close()
		guided := mustCheck(t, m.Binary, Search{Expect: r.Delivered, Decline: true, Schedules: 1, Budget: 5 * time.Second})
		if len(guided.Delivered) == 0 {
			t.Fatalf("mutant %d was not guided: %s", i, guided)
		}
		declined := 0
		for _, d := range guided.Delivered {
			if lost := ints(d) == 0; lost && (i != 0 || d.Declined == 0) {
				t.Errorf("mutant %d, way %d: lost: %+v", i, d.Way, d)
			} else if lost {
				declined++
			}
		}
		if (declined > 0) != (i == 0) {
			t.Errorf("mutant %d lost messages %d times", i, declined)
		}
	}
}

func TestExpectIsChecked(t *testing.T) {
	for _, s := range []Search{
		{Deliver: -1},
		{Expect: []Delivered{{Schedule: Schedule{Test: "TestX", Choices: "x"}}}},
		{Expect: []Delivered{{Schedule: Schedule{Choices: "0"}}}},
	} {
		if _, err := s.complete(); err == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}

// A goroutine that spins after the test is no pass, whatever else was seen.
func TestSpinningIsNoPass(t *testing.T) {
	c := load(t, module(t, map[string]string{
		"zoo.go":      "package zoo\n\nfunc poll(c chan int) {\n\tfor {\n\t\tselect {\n\t\tcase <-c:\n\t\t\treturn\n\t\tdefault:\n\t\t}\n\t}\n}\n",
		"zoo_test.go": "package zoo\n\nimport \"testing\"\n\nfunc TestPoll(t *testing.T) { go poll(make(chan int)) }\n",
	}), analysis.Target{}, Config{})
	r := mustCheck(t, build(t, c), Search{Schedules: 20, Steps: 2000})
	if r.Verdict != explore.Inconclusive || r.Spun == 0 {
		t.Errorf("%s, spun %d", r, r.Spun)
	}
	contains(t, r.Reason, "without ever waiting")
}
