package noise

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"mendel/fitness/noise/hook"
)

// Past runs a noised binary once, without noise, and returns how many goroutines
// are in the causal past of the failure, beside those that run the tests: each has
// passed a hook, and after that something synchronised it with the failing
// assertion. It counts to two at most. What happens before what is the race
// detector's knowledge; in a build without it all goroutines of the program that
// passed a hook count. ok is false if the run did not end with a failed test.
func (h *Harness) Past(ctx context.Context, b *Binary, o RunOptions) (goroutines int, ok bool, err error) {
	o.past = true
	outcome, err := h.Run(ctx, b, o)
	if err != nil || outcome.Pass {
		return 0, false, err
	}
	goroutines, ok = pastIn(outcome.Output)
	return goroutines, ok, nil
}

// pastIn reads what package hook reports; of several tests that failed, the one
// with the most counts.
func pastIn(output []byte) (most int, ok bool) {
	for line := range bytes.Lines(output) {
		rest, found := strings.CutPrefix(string(line), hook.PastReport)
		number, _, _ := strings.Cut(rest, " ")
		if n, err := strconv.Atoi(number); found && err == nil {
			most, ok = max(most, n), true
		}
	}
	return most, ok
}
