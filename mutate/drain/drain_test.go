package drain

import (
	"testing"

	"mendel/mutate/deferclose"
	"mendel/mutate/internal/mutatetest"
)

func TestOperator(t *testing.T) { mutatetest.RunWith(t, Operator, deferclose.Operator) }
