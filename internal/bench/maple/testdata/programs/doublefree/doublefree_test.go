package doublefree

import (
	"testing"

	"example.com/maple/internal/work"
)

func TestFree(t *testing.T) {
	var a Arena
	a.used.Store(true)
	work.Both(a.Free, a.Free)
	if n := a.free.Load(); n != 1 {
		t.Errorf("%d free blocks", n)
	}
}
