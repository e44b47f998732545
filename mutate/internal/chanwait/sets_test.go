package chanwait_test

import (
	"testing"

	"mendel/mutate/buffer"
	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/newdone"
	"mendel/mutate/selectdefault"
	"mendel/mutate/selectdone"
)

func TestSets(t *testing.T) {
	mutatetest.Run(t, ".", buffer.Operator, newdone.Operator, selectdefault.Operator, selectdone.Operator)
}
