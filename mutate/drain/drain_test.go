package drain

import (
	"testing"

	"mendel/mutate/deferclose"
	"mendel/mutate/mutatetest"
)

func TestOperator(t *testing.T) { mutatetest.RunWith(t, Operator, deferclose.Operator) }
