package instrument

import "testing"

// Declarations with one text have the same numbers in all programs, which follow each other.
func TestNumbers(t *testing.T) {
	var n Numbers
	for _, c := range []struct {
		declaration string
		nth, want   int
	}{{"a", 0, 1}, {"a", 1, 2}, {"b", 0, 3}, {"a", 0, 1}, {"a", 1, 2}, {"c", 0, 4}, {"b", 0, 3}} {
		if got := n.of(c.declaration, c.nth); got != c.want {
			t.Errorf("site %d of %s has number %d, want %d", c.nth, c.declaration, got, c.want)
		}
	}
}
