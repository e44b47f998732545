package repair

import (
	"context"
	"testing"
	"time"

	"mendel/fitness/noise"
	"mendel/internal/repair/original"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
	"mendel/validate"
)

// Time is kept back for as many runs as confirm a fix, but never much of it.
func TestReserve(t *testing.T) {
	for _, c := range []struct {
		name          string
		left          time.Duration
		runs, atATime int
		each, build   time.Duration
		want          time.Duration
	}{
		{"quick tests", time.Minute, 20, 8, 10 * time.Millisecond, time.Second, validationOverhead + 30*time.Millisecond},
		{"slower tests", 3 * time.Minute, 150, 8, time.Second / 2, 0, validationOverhead + 19*time.Second/2},
		{"tests of two seconds", 3 * time.Minute, 150, 8, 2 * time.Second, 0, longestReserve},
		{"no more than a third", time.Minute, 150, 8, time.Second, 0, 20 * time.Second},
		{"the checker alone", time.Minute, 0, 8, 0, 0, validationOverhead},
		{"slow builds", time.Minute, 0, 8, 0, 3 * time.Second, 12 * time.Second},
		{"hardly any time", time.Second, 150, 8, time.Second, 0, time.Second / 3},
	} {
		if got := reserve(c.left, c.runs, c.atATime, c.each, c.build); got != c.want {
			t.Errorf("%s: %v of %v, want %v", c.name, got, c.left, c.want)
		}
	}
	if got := mean([]noise.Outcome{{Elapsed: time.Second / 4}, {Elapsed: 3 * time.Second / 4}}); got != time.Second/2 || mean(nil) != 0 {
		t.Errorf("mean %v", got)
	}
}

// A search under a budget ends before it; one without a limit has none.
func TestLeaveTime(t *testing.T) {
	j := &judges{environment: &environment{Setup: &setup.Setup{Progress: setup.NewProgress(result.Silent{}, false, nil)}}, base: &original.Baseline{}, validator: validate.New(validate.Options{})}
	j.Settings = setup.Resolve(result.Wanted{}.WithDefaults())
	searching, stop := j.leaveTime(context.Background(), context.Background())
	defer stop()
	if _, limited := searching.Deadline(); limited {
		t.Error("a search without a budget has a limit")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	searching, stop = j.leaveTime(ctx, ctx)
	defer stop()
	end, _ := ctx.Deadline()
	if at, limited := searching.Deadline(); !limited || end.Sub(at) < validationOverhead-time.Second {
		t.Errorf("the search ends %v before the budget", end.Sub(at))
	}
}
