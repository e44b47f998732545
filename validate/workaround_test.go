package validate

import (
	"slices"
	"testing"

	"mendel/mutate"
)

// A fix is a workaround by the flags that put the bug off or give something up, and not by
// those that a reviewer only has to look at.
func TestWorkaround(t *testing.T) {
	for _, c := range []struct{ flags, want []mutate.Flag }{
		{nil, nil},
		{[]mutate.Flag{mutate.Blocks, mutate.Nested, mutate.Detached, mutate.DropsLock}, nil},
		{[]mutate.Flag{mutate.Blocks, mutate.IncompleteGuard, mutate.SharedLock}, []mutate.Flag{mutate.IncompleteGuard, mutate.SharedLock}},
		{[]mutate.Flag{mutate.Blocks, mutate.Postpones}, []mutate.Flag{mutate.Postpones}},
		{[]mutate.Flag{mutate.Blocks, mutate.HeldThrough, mutate.LockCircle, mutate.OutOfOrder}, []mutate.Flag{mutate.HeldThrough, mutate.LockCircle, mutate.OutOfOrder}},
		{[]mutate.Flag{mutate.Serialises, mutate.Discards}, []mutate.Flag{mutate.Serialises, mutate.Discards}},
	} {
		if got := Workaround(c.flags); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.flags, got, c.want)
		}
	}
}
