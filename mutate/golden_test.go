package mutate_test

import (
	"testing"

	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/lockbody"
	"mendel/mutate/lockmethod"
	"mendel/mutate/lockstatement"
)

// The archives here are about what all operators share: declaring locks,
// imports, layout and comments, and sets of edits.
func TestGolden(t *testing.T) {
	mutatetest.Run(t, lockbody.Operator, lockmethod.Operator, lockstatement.Operator)
}
