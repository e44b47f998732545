package ticketing

import "testing"

func TestSell(t *testing.T) {
	p := NewPlane(3)
	refused := 0
	for _, c := range Sell(p, []string{"ann", "bob"}, []string{"cy", "dee"}) {
		refused += len(c.Refused)
		for passenger, seat := range c.Tickets {
			if got := p.Passenger(seat); got != passenger {
				t.Errorf("%s has seat %d, and so has %s", passenger, seat, got)
			}
		}
	}
	if p.Sold() != 3 || refused != 1 {
		t.Errorf("%d seats sold and %d refused, want 3 and 1", p.Sold(), refused)
	}
}
