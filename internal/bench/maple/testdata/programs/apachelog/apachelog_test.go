package apachelog

import (
	"testing"

	"example.com/maple/internal/work"
)

func TestWrite(t *testing.T) {
	var b Buffer
	work.Both(func() { b.Write("GET /a\n") }, func() { b.Write("GET /b\n") })
	if text := b.String(); text != "GET /a\nGET /b\n" && text != "GET /b\nGET /a\n" {
		t.Errorf("garbled: %q", text)
	}
}
