package dossier

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// example has something in every part that is checked.
func example() *Dossier {
	return &Dossier{
		Status: "fixed",
		Failures: []FailureRecord{{Kind: "race", Message: "<b>", Trace: &Trace{
			Goroutines: []string{"main", "a.go:3#1"},
			Rows:       []Row{{G: 0, Line: 3, Starts: 1, Mark: Switched}, {G: 1, Line: 4, Folded: 2, Mark: Conflict}},
			Bars:       []Bar{{G: 1, Lock: "mu", From: 1, To: -1}},
			Conflict:   [2]int{-1, 1},
		}}},
		Fixes: []Fix{{Patch: "fix-1.patch", Files: []File{{"a.go", "x", "y"}}, Replays: []*Trace{nil}}},
	}
}

func TestWriteRead(t *testing.T) {
	dir := t.TempDir()
	want := example()
	if err := Write(dir, want); err != nil {
		t.Fatal(err)
	}
	got, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read again:\n%s", diff)
	}
}

func TestReadRefuses(t *testing.T) {
	if _, err := Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), "--out") {
		t.Errorf("of an empty directory: %v", err)
	}
	for name, spoil := range map[string]func(*Dossier){
		"no such failure":     func(d *Dossier) { d.PartialFixes = []Fix{{Mends: []int{1}}} },
		"newer":               func(d *Dossier) { d.Version = Version + 1 },
		"no version":          func(d *Dossier) { d.Version = 0 },
		"goroutine":           func(d *Dossier) { d.Failures[0].Trace.Rows[1].G = 2 },
		"negative goroutine":  func(d *Dossier) { d.Failures[0].Trace.Rows[1].G = -1 },
		"started":             func(d *Dossier) { d.Failures[0].Trace.Rows[0].Starts = 2 },
		"folded":              func(d *Dossier) { d.Failures[0].Trace.Rows[0].Folded = -1 },
		"bar's goroutine":     func(d *Dossier) { d.Failures[0].Trace.Bars[0].G = 2 },
		"bar's row":           func(d *Dossier) { d.Failures[0].Trace.Bars[0].From = 2 },
		"bar from before":     func(d *Dossier) { d.Failures[0].Trace.Bars[0].From = -1 },
		"bar backwards":       func(d *Dossier) { d.Failures[0].Trace.Bars[0].To = 0 },
		"cause":               func(d *Dossier) { d.Failures[0].Trace.Cause = [2]int{0, 2} },
		"cause behind":        func(d *Dossier) { d.Failures[0].Trace.Cause = [2]int{1, 0} },
		"access":              func(d *Dossier) { d.Failures[0].Trace.Conflict[0] = 2 },
		"trace under the fix": func(d *Dossier) { d.Fixes[0].Replays[0] = &Trace{Rows: []Row{{}}} },
		"numbers":             func(d *Dossier) { d.Failures[0].Trace.IDs = []int{0} },
		"partial":             func(d *Dossier) { d.Partial = []Partial{{Trace: &Trace{Rows: []Row{{}}}}} },
	} {
		t.Run(name, func(t *testing.T) {
			d := example()
			d.Version = Version
			spoil(d)
			data, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Parse(data); err == nil {
				t.Error("read without an error")
			}
		})
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, Name), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil {
		t.Error("half a file is read")
	}
}
