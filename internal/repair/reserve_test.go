package repair

import (
	"context"
	"testing"
	"time"

	"mendel/fitness/noise"
	"mendel/internal/result"
)

// Time is kept back for as many runs as confirm a fix, but never much of it.
func TestReserve(t *testing.T) {
	took := func(d ...time.Duration) (runs []noise.Outcome) {
		for _, d := range d {
			runs = append(runs, noise.Outcome{Elapsed: d})
		}
		return runs
	}
	for _, c := range []struct {
		name          string
		left          time.Duration
		runs, atATime int
		original      []noise.Outcome
		want          time.Duration
	}{
		{"quick tests", time.Minute, 150, 8, took(10*time.Millisecond, 10*time.Millisecond), validationOverhead + 190*time.Millisecond},
		{"slower tests", 3 * time.Minute, 150, 8, took(time.Second/4, 3*time.Second/4), validationOverhead + 19*time.Second/2},
		{"tests of a second", 3 * time.Minute, 150, 8, took(time.Second), longestReserve},
		{"no more than a quarter", time.Minute, 150, 8, took(time.Second), 15 * time.Second},
		{"the checker alone", time.Minute, 0, 8, nil, validationOverhead},
		{"hardly any time", time.Second, 150, 8, took(time.Second), time.Second / 4},
	} {
		if got := reserve(c.left, c.runs, c.atATime, c.original); got != c.want {
			t.Errorf("%s: %v of %v, want %v", c.name, got, c.left, c.want)
		}
	}
}

// A search under a budget ends before it; one without a limit has none.
func TestLeaveTime(t *testing.T) {
	j := &judges{environment: &environment{}, base: &baseline{}}
	j.settings = resolve(result.Wanted{}.WithDefaults())
	searching, stop := j.leaveTime(context.Background())
	defer stop()
	if _, limited := searching.Deadline(); limited {
		t.Error("a search without a budget has a limit")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	searching, stop = j.leaveTime(ctx)
	defer stop()
	end, _ := ctx.Deadline()
	if at, limited := searching.Deadline(); !limited || end.Sub(at) < validationOverhead-time.Second {
		t.Errorf("the search ends %v before the budget", end.Sub(at))
	}
}
