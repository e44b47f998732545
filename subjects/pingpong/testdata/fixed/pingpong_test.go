package pingpong

import "testing"

func TestRun(t *testing.T) {
	const callers, rounds = 4, 3
	g := NewGame("Anna")
	g.Run(callers, rounds)

	p := g.Player()
	if p == nil {
		t.Fatal("the player did not come back to the table")
	}
	if p.Strokes() != callers*rounds {
		t.Errorf("%v strokes, want %d", p, callers*rounds)
	}
}

func TestPing(t *testing.T) {
	g := NewGame("Anna")
	g.ping()
	if got := g.Player().String(); got != "Anna: 1" {
		t.Errorf("after one round: %q", got)
	}
}
