package airline

import (
	"fmt"
	"strings"
	"testing"
)

func TestOffice(t *testing.T) {
	const counters, each, capacity = 3, 4, 8
	queues := make([][]string, counters)
	for i := range queues {
		for j := range each {
			queues[i] = append(queues[i], fmt.Sprintf("passenger %d of counter %d", j, i))
		}
	}
	f := NewFlight("MD 15", capacity)
	o := NewOffice(f, queues...)
	o.Open()

	tickets := o.Tickets()
	if len(tickets) != capacity || f.Sold() != capacity {
		t.Errorf("%d tickets for %d seats, %d of them sold", len(tickets), capacity, f.Sold())
	}
	owner := make(map[string]string)
	for _, ticket := range tickets {
		if other, ok := owner[ticket.Seat]; ok {
			t.Errorf("seat %s was sold to %s and to %s", ticket.Seat, other, ticket.Passenger)
		}
		owner[ticket.Seat] = ticket.Passenger
	}
	for i, coupon := range o.Coupons() {
		if coupon != tickets[i].Coupon() {
			t.Errorf("coupon %d is %q, want %q", i, coupon, tickets[i].Coupon())
		}
	}
	if !f.SalesStopped() {
		t.Error("sales go on")
	}
	if got, want := len(o.TurnedAway()), counters*each-capacity; got != want {
		t.Errorf("%d passengers were turned away, want %d", got, want)
	}
}

func TestSell(t *testing.T) {
	f := NewFlight("MD 15", 5)
	for i, want := range []string{"1A", "1B", "1C", "1D", "2A"} {
		ticket, ok := f.Sell("Anna")
		if !ok || ticket != (Ticket{"MD 15", "Anna", want}) {
			t.Errorf("ticket %d: %v, %t, want seat %s", i, ticket, ok, want)
		}
	}
	if ticket, ok := f.Sell("Bert"); ok {
		t.Errorf("%v was sold after the last seat of %d", ticket, f.Capacity())
	}
}

func TestCoupon(t *testing.T) {
	ticket := Ticket{"MD 15", "Anna", "2C"}
	got, want := ticket.Coupon(), "MD 15  seat 2C  Anna  "
	if !strings.HasPrefix(got, want) || len(got) != len(want)+8 {
		t.Errorf("%q, want %q and a code", got, want)
	}
	ticket.Seat = "2D"
	if other := ticket.Coupon(); other[len(other)-8:] == got[len(got)-8:] {
		t.Errorf("%q and %q have the same code", got, other)
	}
}
