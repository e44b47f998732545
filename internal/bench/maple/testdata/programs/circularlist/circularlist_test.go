package circularlist

import (
	"testing"

	"example.com/maple/internal/work"
)

func TestRotate(t *testing.T) {
	l := &List{items: []int{0, 1, 2, 3}}
	work.Both(l.Rotate, l.Rotate)
	for i, n := range l.Items() {
		if n != (i+2)%4 {
			t.Fatalf("out of order: %v", l.Items())
		}
	}
}
