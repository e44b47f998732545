package repair

import (
	"context"
	"strings"
	"testing"
	"time"

	"mendel/internal/result"
	"mendel/mutate"
	"mendel/validate"
)

// Where a second validation would not end in time, the fix is not offered without
// what the tests do not exercise, and a note says so.
func TestLessNeedsTime(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	j := &judges{environment: envFor(result.Wanted{})} // no validator: it is not to be asked
	f := &findings{}
	fix := &validate.Fix{}
	if clean, err := j.offerLess(ctx, f, fix, candidate{}, 1, time.Second); err != nil || clean || len(j.Progress.Noted()) > 0 {
		t.Errorf("nothing to leave out: %v, notes %v", err, j.Progress.Noted())
	}
	fix.Quality.Unexercised = []string{"T.x"}
	if clean, err := j.offerLess(ctx, f, fix, candidate{}, 1, time.Second); err != nil || clean || len(j.Progress.Noted()) > 0 {
		t.Errorf("the fix has no flag: %v, notes %v", err, j.Progress.Noted())
	}
	fix.Flags = []mutate.Flag{mutate.Blocks}
	if clean, err := j.offerLess(ctx, f, fix, candidate{}, 1, 40*time.Second); err != nil || clean || len(f.fixes) > 0 {
		t.Errorf("%v, fixes %v", err, f.fixes)
	}
	if notes := j.Progress.Noted(); len(notes) != 1 || !strings.Contains(notes[0], "without the lock for T.x") {
		t.Errorf("notes %v", notes)
	}
}
