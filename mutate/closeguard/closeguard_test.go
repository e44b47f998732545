package closeguard

import (
	"testing"

	"mendel/mutate/internal/mutatetest"
)

func TestOperator(t *testing.T) { mutatetest.Run(t, Operator) }
