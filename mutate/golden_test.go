package mutate_test

import (
	"testing"

	"mendel/mutate/addlock"
	"mendel/mutate/internal/mutatetest"
)

// The archives here are about what all operators share: declaring locks,
// imports, layout and comments, and sets of edits.
func TestGolden(t *testing.T) {
	mutatetest.Run(t, addlock.Operator)
}
