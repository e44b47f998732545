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
