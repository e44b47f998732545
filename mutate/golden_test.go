package mutate_test

import (
	"testing"

	"mendel/internal/operators"
	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/deferclose"
	"mendel/mutate/expandafter"
	"mendel/mutate/expandbefore"
	"mendel/mutate/inplace"
	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/releasearound"
	"mendel/mutate/shrinkend"
	"mendel/mutate/shrinkstart"
)

// The archives here are about what all operators share: declaring locks,
// imports, layout and comments, and sets of edits.
func TestGolden(t *testing.T) {
	mutatetest.Run(t, ".", addlock.Operator)
}

// madeOf are the operators whose edits others make.
var madeOf = map[string][]*mutate.Operator{
	"closeguard": {addlock.Operator, releasearound.Operator, shrinkend.Operator},
	"drain":      {deferclose.Operator},
	"guard": {addlock.Operator, expandafter.Operator, expandbefore.Operator, shrinkend.Operator,
		shrinkstart.Operator, inplace.Operator},
	"inplace":     {addlock.Operator},
	"lockatomics": {addlock.Operator},
}

// TestOperators tests each operator with the archives in its directory. All are in one
// test binary: to link one for each of them takes longer than the archives do.
func TestOperators(t *testing.T) {
	for _, op := range operators.All() {
		t.Run(op.Name, func(t *testing.T) { mutatetest.RunWith(t, op.Name, op, madeOf[op.Name]...) })
	}
}
