package judged

import (
	"context"
	"slices"
	"strings"
	"testing"

	"mendel"
	"mendel/internal/bench/cases"
)

const counting = `a kind

What it is.

-- go.mod --
module example.com/counting

go 1.25
-- counting.go --
// Package counting counts.
package counting

// A Counter counts.
type Counter struct{ n int }

// Add adds.
func (c *Counter) Add(done chan<- bool) {
	c.n++
	done <- true
}
-- counting_test.go --
package counting

import "testing"

func TestAdd(t *testing.T) {
	c, done := &Counter{}, make(chan bool)
	go c.Add(done)
	<-done
	if c.n != 1 {
		t.Error(c.n)
	}
}
-- truth/fix.patch --
--- a/counting.go
+++ b/counting.go
@@ -1,11 +1,18 @@
 // Package counting counts.
 package counting
 
+import "sync"
+
 // A Counter counts.
-type Counter struct{ n int }
+type Counter struct {
+	mu sync.Mutex
+	n  int
+}
 
 // Add adds.
 func (c *Counter) Add(done chan<- bool) {
+	c.mu.Lock()
 	c.n++
+	c.mu.Unlock()
 	done <- true
 }
-- truth/wrong/left.patch --
It leaves a goroutine.

--- a/counting.go
+++ b/counting.go
@@ -1,11 +1,19 @@
 // Package counting counts.
 package counting
 
+import "sync"
+
 // A Counter counts.
-type Counter struct{ n int }
+type Counter struct {
+	mu sync.Mutex
+	n  int
+}
 
 // Add adds.
 func (c *Counter) Add(done chan<- bool) {
+	c.mu.Lock()
 	c.n++
+	c.mu.Unlock()
 	done <- true
+	select {}
 }
-- truth/judge_test.go --
package counting

import "testing"

func TestTwo(t *testing.T) {
	c, done := &Counter{}, make(chan bool)
	go c.Add(done)
	go c.Add(done)
	<-done
	<-done
	if c.n != 2 {
		t.Error(c.n)
	}
}
`

// The judge finds what the program's own tests do not show: a race, a goroutine that is left.
func TestJudge(t *testing.T) {
	p, err := cases.Parse("small", "counting", []byte(counting))
	if err != nil {
		t.Fatal(err)
	}
	e := &evaluation{Options: Options{Runs: 2}, report: &report{Check: true}}
	rows, err := e.check(t.Context(), p, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	e.report.Rows = rows
	if failures := e.report.Failures(); len(failures) > 0 {
		t.Error(failures)
	}
	want := map[string]string{"as it is": "DATA RACE", "fix": "", "wrong/left": "goroutines are left"}
	for _, r := range rows {
		if said, ok := want[r.Patch]; !ok || !strings.Contains(r.Problem, said) || said == "" && r.Problem != "" {
			t.Errorf("%s: %q", r.Patch, r.Problem)
		}
	}
	if len(rows) != len(want) {
		t.Errorf("%d rows", len(rows))
	}
}

// What is called a fix and is unsound counts against a set, and so does too little.
func TestFailures(t *testing.T) {
	rows := func(called ...row) (all []row) {
		for _, c := range called {
			c.Set = "small"
			all = append(all, c)
		}
		return all
	}
	sound := row{Status: mendel.Fixed, Judged: true}
	wrong := row{Status: mendel.Fixed, Judged: true, Problem: "a race"}
	none := row{Status: mendel.NotFixed}
	for _, tt := range []struct {
		rows []row
		want int
	}{
		{rows(sound), 0},
		{rows(none), 1},
		{rows(slices.Repeat([]row{sound}, 9)...), 0},
		{rows(append(slices.Repeat([]row{sound}, 9), wrong)...), 1},
		{rows(append(slices.Repeat([]row{sound}, 3), wrong)...), 2},
	} {
		r := &report{Rows: tt.rows}
		if got := r.Failures(); len(got) != tt.want {
			t.Errorf("%d rows: %q, want %d failures", len(tt.rows), got, tt.want)
		}
	}
}

// Seconds are told to a tenth.
func TestWrite(t *testing.T) {
	r := &report{Rows: []row{{Program: "recheck", Set: "small", Status: mendel.Fixed, Judged: true, Seconds: 7.318189434}}}
	var page strings.Builder
	if err := r.Write(&page, true); err != nil {
		t.Fatal(err)
	}
	if text := page.String(); strings.Contains(text, "7.31") || !strings.Contains(text, "| small | 1 | 1 | 1 | 0 | 7.3 |") {
		t.Errorf("the page is\n%s", text)
	}
}

// What was made under the same conditions is not made again, and under others it is not mixed.
func TestGoOn(t *testing.T) {
	out := t.TempDir()
	done := &report{Mendel: "a", Runs: 2, Rows: []row{{Program: "recheck", Set: "small", Status: mendel.Fixed}}}
	e := &evaluation{Options: Options{Out: out}, report: done}
	if err := e.files().Save(done, nil); err != nil {
		t.Fatal(err)
	}
	e.report = &report{Mendel: "a", Runs: 2}
	if err := e.goOn(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nothing is to be repaired
	if err := e.work(ctx, []cases.Program{{Name: "recheck", Set: "small"}}); err != nil {
		t.Error(err)
	}
	e.report = &report{Mendel: "b", Runs: 2}
	if err := e.goOn(); err == nil {
		t.Error("results of two versions are mixed")
	}
}
