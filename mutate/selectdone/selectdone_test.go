package selectdone

import (
	"testing"

	"mendel/mutate/mutatetest"
)

func TestOperator(t *testing.T) { mutatetest.Run(t, Operator) }
