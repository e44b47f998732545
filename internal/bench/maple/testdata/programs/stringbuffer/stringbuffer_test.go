package stringbuffer

import (
	"testing"

	"example.com/maple/internal/work"
)

func TestAppend(t *testing.T) {
	a, b := &Buffer{}, &Buffer{data: []byte("text")}
	work.Both(func() { a.Append(b) }, b.Reset)
}
