package guard

import (
	"testing"

	"mendel/mutate/expandafter"
	"mendel/mutate/expandbefore"
	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/lockbody"
	"mendel/mutate/lockmethod"
	"mendel/mutate/lockstatement"
	"mendel/mutate/shrinkend"
	"mendel/mutate/shrinkstart"
)

func TestOperator(t *testing.T) {
	mutatetest.RunWith(t, Operator, lockbody.Operator, lockmethod.Operator, lockstatement.Operator,
		expandafter.Operator, expandbefore.Operator, shrinkend.Operator, shrinkstart.Operator)
}
