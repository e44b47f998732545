package inplace

import (
	"testing"

	"mendel/mutate/addlock"
	"mendel/mutate/internal/mutatetest"
)

func TestOperator(t *testing.T) { mutatetest.RunWith(t, Operator, addlock.Operator) }
