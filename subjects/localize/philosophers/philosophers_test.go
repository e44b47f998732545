package philosophers

import "testing"

func TestDine(t *testing.T) {
	if got := Dine(3, 1); got != 6 {
		t.Errorf("forks were used %d times, want 6", got)
	}
}
