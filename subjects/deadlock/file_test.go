package deadlock

import (
	"strings"
	"testing"
)

func TestExchange(t *testing.T) {
	const rounds = 12
	first, second := strings.Repeat("a", 64), strings.Repeat("b", 96)
	a, b := NewFile("a", first), NewFile("b", second)
	Exchange(a, b, rounds)

	for _, f := range []*File{a, b} {
		if c := f.Contents(); c != first && c != second {
			t.Errorf("file %s holds %q, which neither file held before", f.Name(), c)
		}
		if f.Writes() != rounds {
			t.Errorf("file %s was written %d times, want %d", f.Name(), f.Writes(), rounds)
		}
	}
}

func TestCopy(t *testing.T) {
	a, b := NewFile("a", "one"), NewFile("b", "two")
	Copy(b, a)
	a.Append(" and more")
	if a.Contents() != "one and more" || b.Contents() != "one" {
		t.Errorf("after copying and appending: %q, %q", a.Contents(), b.Contents())
	}
}
