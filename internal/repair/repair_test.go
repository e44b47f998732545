package repair

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/internal/repair/original"
	"mendel/internal/result"
	"mendel/mutate"
	"mendel/validate"
)

// A mutant that adds edits to a known fix is not validated again, unless they
// take a flag away.
func TestCovers(t *testing.T) {
	lock := mutate.Edit{Operator: "lockstatement", Node: 3}
	shrink := mutate.Edit{Operator: "shrinkend", Line: 2}
	hotter := lock
	hotter.Heat, hotter.Vars = 1, []string{"T.n"}
	nested := []mutate.Flag{mutate.Nested}
	f := &findings{fixes: []validatedFix{{Fix: &validate.Fix{Mutant: &mutate.Mutant{Edits: []mutate.Edit{lock}}, Flags: nested}}}}
	for _, tt := range []struct {
		name  string
		edits []mutate.Edit
		flags []mutate.Flag
		want  bool
	}{
		{"the same", []mutate.Edit{lock}, nested, true},
		{"more edits", []mutate.Edit{shrink, lock}, nested, true},
		{"the same, enumerated again with more heat", []mutate.Edit{hotter}, nested, true},
		{"more edits, fewer flags", []mutate.Edit{shrink, lock}, nil, false},
		{"other edits", []mutate.Edit{shrink}, nested, false},
	} {
		if got := f.covers(tt.edits, tt.flags); got != tt.want {
			t.Errorf("%s: covers %v, want %v", tt.name, got, tt.want)
		}
	}
}

// Positions in changed files are moved to the original's, others stay.
func TestOriginalLines(t *testing.T) {
	f := evidence.Failure{Stacks: []evidence.Stack{{
		Frames:  []evidence.Frame{{File: "/m/unchanged.go", Line: 7}},
		Created: []evidence.Frame{{File: "/m/unchanged.go", Line: 9}},
	}}}
	got := originalLines(&mutate.Mutant{Files: map[string][]byte{"/m/changed.go": nil}}, f)
	if got.Stacks[0].Frames[0].Line != 7 || got.Stacks[0].Created[0].Line != 9 {
		t.Errorf("moved: %+v", got)
	}
	if &got.Stacks[0] == &f.Stacks[0] {
		t.Error("the failure itself was changed")
	}
}

func TestRepairErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		o    result.Wanted
		want string
	}{
		{"out below a file", result.Wanted{Out: filepath.Join(file, "out")}, "--out"},
		{"no directory", result.Wanted{Dir: filepath.Join(file, "missing")}, "missing"},
		{"negative population", result.Wanted{Population: -1}, "--population -1"},
		{"negative budget", result.Wanted{Budget: -1}, "--budget"},
		{"more than all replaced", result.Wanted{Search: result.SearchOptions{ReplaceFraction: 1.5}}, "ReplaceFraction 1.5"},
		{"nobody to judge", result.Wanted{NoNoise: true, NoChecker: true}, "nothing is left to judge by"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Run(context.Background(), tt.o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if r == nil || r.Status != result.Failed {
				t.Errorf("result %+v, want status %s", r, result.Failed)
			}
		})
	}
}

// What a repair's end makes of its result: a broken environment is an error,
// but never hides a fix that was found.
func TestConclude(t *testing.T) {
	broken := errors.New("disk full")
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tt := range []struct {
		name   string
		status result.Status // before
		ctx    context.Context
		err    error
		want   result.Status
		reason string // part of the reason or, with a fix, of the note
		fails  bool
	}{
		{"well", result.Fixed, context.Background(), nil, result.Fixed, "", false},
		{"refused", result.Failed, context.Background(), &original.NotReproduced{Reason: "passes"}, result.NotReproduced, "passes", false},
		{"broken before the search", result.Failed, context.Background(), broken, result.Failed, "disk full", true},
		{"broken in the search", result.NotFixed, context.Background(), broken, result.Failed, "disk full", true},
		{"broken after a fix", result.Fixed, context.Background(), broken, result.Fixed, "disk full", false},
		{"interrupted after a fix", result.Fixed, done, context.Canceled, result.Fixed, "interrupted", true},
		{"a part's time ended with it", result.NotFixed, done, context.DeadlineExceeded, result.NotReproduced, "interrupted", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, r := sessionFor(result.Wanted{}), &result.Result{Status: tt.status}
			_, err := s.conclude(tt.ctx, tt.ctx, r, tt.err)
			if (err != nil) != tt.fails {
				t.Errorf("error %v", err)
			}
			if r.Status != tt.want {
				t.Errorf("status %s, want %s", r.Status, tt.want)
			}
			if told := r.Reason + strings.Join(s.progress.Noted(), " "); !strings.Contains(told, tt.reason) {
				t.Errorf("told %q, want %q", told, tt.reason)
			}
		})
	}
}

// An ended context gives a result and the context's error.
func TestRepairCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out := t.TempDir()
	r, err := Run(ctx, result.Wanted{Dir: filepath.Join("..", "..", "subjects", "account"), Out: out})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if r.Status != result.NotReproduced || !strings.Contains(r.Reason, "interrupted") {
		t.Errorf("%s: %s", r.Status, r.Reason)
	}
	if _, err := os.Stat(filepath.Join(out, result.Name)); err != nil {
		t.Error(err)
	}
}
