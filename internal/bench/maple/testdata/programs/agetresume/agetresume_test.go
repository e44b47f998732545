package agetresume

import (
	"testing"

	"example.com/maple/internal/work"
)

func TestSave(t *testing.T) {
	var d Download
	work.Both(func() { d.Receive(100) }, func() {
		if s := d.Save(); s.Position != s.Written {
			t.Errorf("the state is torn: %+v", s)
		}
	})
}
