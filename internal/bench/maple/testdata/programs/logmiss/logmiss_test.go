package logmiss

import (
	"testing"

	"example.com/maple/internal/work"
)

func TestRotate(t *testing.T) {
	var l Log
	l.Open()
	work.Both(l.Rotate, l.Write)
	if l.written != 1 {
		t.Error("an entry is lost")
	}
}
