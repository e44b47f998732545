package airline

import "sync"

// An Office sells the tickets of one flight at a number of counters.
type Office struct {
	flight   *Flight
	counters []*counter
}

// A counter is where one clerk serves a queue of passengers.
type counter struct {
	flight *Flight
	queue  []string

	tickets    []Ticket
	coupons    []string // of tickets
	turnedAway []string
}

// NewOffice makes an office with a queue of passengers at each counter.
func NewOffice(flight *Flight, queues ...[]string) *Office {
	o := &Office{flight: flight}
	for _, q := range queues {
		o.counters = append(o.counters, &counter{flight: flight, queue: q})
	}
	return o
}

// Open opens one counter after the other, as long as there are seats, and
// waits until all queues have been served.
func (o *Office) Open() {
	var wg sync.WaitGroup
	for _, c := range o.counters {
		if o.flight.SalesStopped() {
			c.turnedAway = c.queue
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.serve()
		}()
	}
	wg.Wait()
}

// serve sells a ticket to each passenger in the queue.
func (c *counter) serve() {
	for _, passenger := range c.queue {
		ticket, ok := c.flight.Sell(passenger)
		if !ok {
			c.turnedAway = append(c.turnedAway, passenger)
			continue
		}
		c.tickets = append(c.tickets, ticket)
		c.coupons = append(c.coupons, ticket.Coupon())
	}
}

// Tickets lists the tickets sold, counter by counter.
func (o *Office) Tickets() []Ticket {
	var all []Ticket
	for _, c := range o.counters {
		all = append(all, c.tickets...)
	}
	return all
}

// Coupons lists what was printed, counter by counter.
func (o *Office) Coupons() []string {
	var all []string
	for _, c := range o.counters {
		all = append(all, c.coupons...)
	}
	return all
}

// TurnedAway lists the passengers who got no ticket, counter by counter.
func (o *Office) TurnedAway() []string {
	var all []string
	for _, c := range o.counters {
		all = append(all, c.turnedAway...)
	}
	return all
}
