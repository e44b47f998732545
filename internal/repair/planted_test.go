package repair

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"mendel/internal/result"
	"mendel/internal/seed"
	"mendel/mutate"
	"mendel/validate"
)

func TestAddedLines(t *testing.T) {
	for _, test := range []struct {
		before, after string
		want          []int
	}{
		{"a\nb\nc\n", "a\nb\nc\n", nil},
		{"a\nb\nc\n", "a\nx\nb\ny\nz\nc\n", []int{2, 4, 5}},
		{"a\nb\nc\nd\n", "b\nc\nx\nd\n", []int{3}},
		{"", "a\nb", []int{1, 2}},
	} {
		got := slices.Sorted(maps.Keys(addedLines(test.before, test.after)))
		if !slices.Equal(got, test.want) {
			t.Errorf("%q to %q: %v, want %v", test.before, test.after, got, test.want)
		}
	}
}

func TestUnnoticed(t *testing.T) {
	fault := &seed.Fault{Func: "(*M).Stats", Words: "(*M).Stats does not take m.mu any more"}
	for _, test := range []struct {
		beside []string
		want   string
	}{
		{nil, "no test notices if (*M).Stats does not take m.mu any more"},
		{[]string{"(*M).Add"}, "no test runs (*M).Stats beside (*M).Add: none fails if (*M).Stats does not take m.mu any more"},
		{[]string{"A", "B", "C", "D", "E"}, "no test runs (*M).Stats beside A, B, C and 2 more: none fails if (*M).Stats does not take m.mu any more"},
	} {
		if got := unnoticed(seed.Guard{Fault: fault, Beside: test.beside}); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// The fix is written before anything is taken away, and where there is no time for that it can
// be made later. What is no fix to the end is left as it is.
func TestPlantNeverDelays(t *testing.T) {
	m := &mutate.Mutant{Hash: "x"}
	for _, test := range []struct {
		name       string
		fix        validate.Fix
		left       time.Duration
		delivered  bool
		unfinished bool
	}{
		{"no time", validate.Fix{Mutant: m}, leastPlantTime / 2, true, true},
		{"incomplete", validate.Fix{Mutant: m, Incomplete: []string{"go vet was not run"}}, leastPlantTime / 2, false, false},
		{"a workaround", validate.Fix{Mutant: m, Flags: []mutate.Flag{mutate.ScenarioFails}}, leastPlantTime / 2, false, false},
	} {
		j := &judges{environment: envFor(result.Wanted{})}
		ctx, cancel := context.WithTimeout(t.Context(), test.left)
		delivered := false
		out := &outcome{findings: findings{fixes: []validatedFix{{Fix: &test.fix}}}}
		unfinished, err := j.plant(ctx, out, func() error { delivered = true; return nil })
		cancel()
		if err != nil || delivered != test.delivered || unfinished != test.unfinished || test.fix.Quality.Planted.Tried > 0 {
			t.Errorf("%s: delivered %t, unfinished %t, error %v", test.name, delivered, unfinished, err)
		}
	}
	full := errors.New("no space")
	j := &judges{environment: envFor(result.Wanted{})}
	if _, err := j.plant(t.Context(), &outcome{findings: findings{fixes: []validatedFix{{Fix: &validate.Fix{Mutant: m}}}}}, func() error { return full }); !errors.Is(err, full) {
		t.Errorf("what cannot be written: error %v", err)
	}
}
