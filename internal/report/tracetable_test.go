package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"mendel/internal/dossier"
)

// transfers are two transfers in opposite directions, each waiting for the
// other's lock.
func transfers() *dossier.Trace {
	return &dossier.Trace{
		Test: "TestTransfer", Goroutines: []string{"main", "account_test.go:5#1", "account_test.go:6#1"}, Hidden: 2,
		Rows: []dossier.Row{
			{G: 0, File: "bank/account_test.go", Line: 5, Text: "wg.Go(func() { a.Move(b, 1) })", Op: "go", Starts: 1},
			{G: 0, File: "bank/account_test.go", Line: 6, Text: "wg.Go(func() { b.Move(a, 1) })", Op: "go", Starts: 2, Folded: 4},
			{G: 1, File: "bank/account.go", Line: 17, Text: "a.mu.Lock()", Op: "Lock a.mu", Mark: dossier.Switched},
			{G: 1, File: "bank/account.go", Line: 18, Text: "a.log()", Op: "atomic.Add ×3"},
			{G: 2, File: "bank/account.go", Line: 17, Text: "a.mu.Lock()", Op: "Lock a.mu", Mark: dossier.Switched},
			{G: 1, File: "bank/account.go", Line: 19, Text: "to.mu.Lock()", Op: "waits: Lock to.mu", Mark: dossier.Stuck},
			{G: 2, File: "bank/account.go", Line: 19, Text: "to.mu.Lock()", Op: "waits: Lock to.mu", Mark: dossier.Stuck},
		},
		Bars:     []dossier.Bar{{G: 1, Lock: "a.mu", From: 2, To: -1}, {G: 2, Lock: "a.mu #2", From: 4, To: -1}},
		Conflict: [2]int{-1, -1}, Failed: true, Ending: "deadlock",
	}
}

// crowd is a race between two of many goroutines.
func crowd(n int) *dossier.Trace {
	t := &dossier.Trace{Goroutines: []string{"main"}, Conflict: [2]int{2*n - 2, 2*n - 1}}
	for g := 1; g <= n; g++ {
		t.Goroutines = append(t.Goroutines, fmt.Sprintf("queue.go:5#%d", g))
		t.Rows = append(t.Rows, dossier.Row{File: "queue.go", Line: 5, Text: "go func() { q.done <- job.Do() }()", Op: "go", Starts: g})
	}
	for g := 1; g <= n; g++ {
		t.Rows = append(t.Rows, dossier.Row{G: g, File: "other/queue.go", Line: 9, Text: "仕事 = 仕事 + 1", Op: "write 仕事", Mark: dossier.Switched})
	}
	for _, i := range t.Conflict {
		t.Rows[i].Mark = dossier.Conflict
	}
	return t
}

func TestTableGolden(t *testing.T) {
	for _, tt := range []struct {
		name    string
		trace   *dossier.Trace
		columns int
		color   bool
	}{
		{"table-deadlock", transfers(), 100, false},
		{"table-color", transfers(), 80, true},
		{"table-crowd", crowd(12), 80, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Table(&b, tt.trace, tt.columns, tt.color); err != nil {
				t.Fatal(err)
			}
			golden(t, tt.name, b.String())
			for line := range strings.Lines(b.String()) {
				if n := width(strings.TrimSuffix(line, "\n")); !tt.color && n > tt.columns {
					t.Errorf("%d columns of %d: %q", n, tt.columns, line)
				}
			}
		})
	}
}

// Whatever a trace holds, a table comes of it.
func TestTableAwkward(t *testing.T) {
	for name, trace := range map[string]*dossier.Trace{
		"nothing":      {Conflict: [2]int{-1, -1}},
		"no rows":      {Goroutines: []string{"main"}, Conflict: [2]int{-1, -1}},
		"no positions": {Goroutines: []string{"main"}, Rows: []dossier.Row{{Op: "send"}, {Op: "\x1b[31m", Text: "\x1b", Starts: 0}}, Conflict: [2]int{-1, 0}},
		"empty bar":    {Goroutines: []string{"main"}, Rows: []dossier.Row{{Op: "send"}}, Bars: []dossier.Bar{{From: 0, To: 0}}},
	} {
		for _, columns := range []int{0, 1, 300} {
			var b bytes.Buffer
			if err := Table(&b, trace, columns, false); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if strings.Contains(b.String(), "\x1b") {
				t.Errorf("%s: an escape in %q", name, &b)
			}
		}
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain\tтекст 仕事":  "plain\tтекст 仕事",
		"\x1b[31m\x00":     "␛[31m␀",
		"a\x7fb\r":         "a␡b␍",
		"if x \u202e{":     `if x \u202e{`,
		"\U000e0001\ufffd": `\U000e0001\ufffd`,
		"\xff\xc3":         `\xff\xc3`,
		"\u00a0":           `\u00a0`,
	} {
		if got := Visible(text); got != want {
			t.Errorf("Visible(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestMissed(t *testing.T) {
	if got := Missed(3, 15, 150); !strings.Contains(got, "3 failures in 15 runs") || !strings.Contains(got, "about 1 in ") {
		t.Error(got)
	}
	for _, n := range [][3]int{{0, 15, 150}, {2, 1, 150}, {2, 15, 0}} {
		if got := Missed(n[0], n[1], n[2]); got != "" {
			t.Errorf("Missed(%v) = %q", n, got)
		}
	}
}

// Notes stand above the hunk that they belong to, and source cannot act on the terminal.
func TestAnnotate(t *testing.T) {
	change := Change{Path: "a.go", Before: []byte("package a\r\n"), After: []byte("package a\r\n// \x1b[2J\u202e\r\n")}
	var b bytes.Buffer
	err := Annotate(&b, []Change{change}, []Note{{"a.go", 9, []string{"# why"}}, {"b.go", 1, []string{"# elsewhere"}}}, false)
	if err != nil {
		t.Fatal(err)
	}
	want := "--- a/a.go\n+++ b/a.go\n@@ -1 +1,2 @@\n# why\n package a\n+// ␛[2J\\u202e\n"
	if b.String() != want {
		t.Errorf("%q, want %q", &b, want)
	}
}
