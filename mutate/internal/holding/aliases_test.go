package holding

import "testing"

func TestResolve(t *testing.T) {
	a := aliases{"l": "p.list", "n": "l.next", "x": "y", "y": "x"}
	for expr, want := range map[string]string{
		"l.mu": "p.list.mu", "l": "p.list", "n.mu": "p.list.next.mu", "mu": "mu", "p.l": "p.l", "ll.mu": "ll.mu",
	} {
		if got := a.resolve(expr); got != want {
			t.Errorf("%s: got %s, want %s", expr, got, want)
		}
	}
	a.resolve("x.mu") // returns, whatever it says of a circle
}
