package lockatomics

import (
	"testing"

	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/lockstatement"
)

func TestOperator(t *testing.T) { mutatetest.RunWith(t, Operator, lockstatement.Operator) }
