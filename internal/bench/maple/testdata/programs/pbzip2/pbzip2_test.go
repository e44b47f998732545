package pbzip2

import (
	"testing"

	"example.com/maple/internal/work"
)

func TestRun(t *testing.T) {
	if sum := Run([]int{1, 2, 3}, func() { work.Some(20_000) }); sum != 6 {
		t.Errorf("sum %d", sum)
	}
}
