package memory_test

import (
	"testing"

	"mendel/validate/halves/halvestest"
	"mendel/validate/halves/memory"
)

// Each patch of each program of testdata leaves what stands beside it.
func TestFinders(t *testing.T) {
	halvestest.Run(t, "testdata", memory.Lent, memory.PutBack, memory.Handouts, memory.Pointers, memory.Emptied, memory.Kept,
		memory.Borrowed, memory.ChangedCopies, memory.Given, memory.LateCopies, memory.Shallow)
}
