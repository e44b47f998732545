package held_test

import (
	"testing"

	"mendel/mutate/fact/held"
	"mendel/mutate/internal/mutatetest"
)

// Under a lock held for a whole body deferred calls run, too: its release was
// deferred before them.
func TestConflictDeferred(t *testing.T) {
	functions := mutatetest.Functions(t, map[string]string{"in.go": `package calls

import "sync"

var mu sync.Mutex
var n int

func after() {
	mu.Lock()
	n--
	mu.Unlock()
}

func use() int {
	n++
	defer after()
	return n
}

func first() int {
	defer after()
	return n
}
`})
	use := functions["use"]
	lock := use.Program.Locks(use.File, use.Body.List[0])[0]
	for _, tt := range []struct {
		from, to int
		conflict bool
	}{
		{0, 3, true},
		{0, 1, false},
		{0, 2, false}, // released before the deferred call runs
	} {
		if got := held.Conflict(use, lock, use.Body.List[tt.from:tt.to]...); (got != "") != tt.conflict {
			t.Errorf("%s around the statements %d to %d: %q", lock.Expr, tt.from, tt.to, got)
		}
	}
	if first := functions["first"]; held.Conflict(first, lock, first.Body.List...) != "" {
		t.Error("a call that a body begins by deferring runs when the lock is free")
	}
}
