//go:build unix && (!linux || portable)

package gotool

import (
	"testing"
)

func TestSumGroup(t *testing.T) {
	ps := []byte("  12  100\n123 7\n 12 5\nx y\n 12 ?\n12\n")
	if sum := sumGroup(ps, 12); sum.memory != 105<<10 || sum.processes != 2 {
		t.Errorf("got %d bytes in %d processes, want %d in 2", sum.memory, sum.processes, 105<<10)
	}
}
