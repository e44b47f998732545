package evidence

import (
	"slices"
	"strings"
)

// An Apart is a way in which a test fails that is kept apart: it has another cause than what is
// to be repaired.
type Apart struct {
	Test   string `json:"test"` // its top-level name
	Kind   Kind   `json:"kind"`
	Always bool   `json:"always,omitempty"` // in every schedule of the checker: it is no news, and not told
	Skip   bool   `json:"skip,omitempty"`   // runs leave the test out: it may hang, and then they show nothing of the others
}

// Skipped are the tests that runs leave out, sorted, each once.
func Skipped(ways []Apart) (tests []string) {
	for _, w := range ways {
		if w.Skip {
			tests = append(tests, w.Test)
		}
	}
	slices.Sort(tests)
	return slices.Compact(tests)
}

// IsApart is the way in which a failure is kept apart; ok is false if it is not.
func IsApart(ways []Apart, f Failure) (way Apart, ok bool) {
	test, _, _ := strings.Cut(f.Test, "/")
	i := slices.IndexFunc(ways, func(a Apart) bool { return a.Test == test && a.Kind == f.Kind })
	if i < 0 {
		return Apart{}, false
	}
	return ways[i], true
}
