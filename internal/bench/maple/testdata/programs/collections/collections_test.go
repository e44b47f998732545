package collections

import (
	"testing"

	"example.com/maple/internal/work"
)

func TestStep(t *testing.T) {
	g := &Graph{items: map[int]string{}}
	work.Both(func() { g.Put(1, "item") }, func() {
		if item, ok := g.Step(); ok && item == "" {
			t.Error("a step without its item")
		}
	})
}
