package guard

import (
	"testing"

	"mendel/mutate/addlock"
	"mendel/mutate/expandafter"
	"mendel/mutate/expandbefore"
	"mendel/mutate/inplace"
	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/shrinkend"
	"mendel/mutate/shrinkstart"
)

func TestOperator(t *testing.T) {
	mutatetest.RunWith(t, Operator, addlock.Operator,
		expandafter.Operator, expandbefore.Operator, shrinkend.Operator, shrinkstart.Operator, inplace.Operator)
}
