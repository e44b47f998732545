// Package ticketing sells the seats of an airplane at several counters.
package ticketing

import "sync"

// A Plane has seats to sell.
type Plane struct {
	mu    sync.Mutex // guards what follows
	seats []string   // passenger of each; "": free
	sold  int
}

// NewPlane returns one with free seats.
func NewPlane(seats int) *Plane { return &Plane{seats: make([]string, seats)} }

// Reserve sells the next free seat, from 1; 0: there is none.
func (p *Plane) Reserve(passenger string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sold == len(p.seats) {
		return 0
	}
	seat := p.sold
	p.sold++
	p.seats[seat] = passenger
	return seat + 1
}

// Sold is the number of seats that were sold.
func (p *Plane) Sold() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sold
}

// Passenger is who has a seat, "" if it is free.
func (p *Plane) Passenger(seat int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seats[seat-1]
}

// A Counter sells to a queue of passengers.
type Counter struct {
	plane   *Plane
	Tickets map[string]int // seat by passenger
	Refused []string
}

// Serve serves a queue.
func (c *Counter) Serve(queue []string) {
	for _, passenger := range queue {
		seat := c.plane.Reserve(passenger)
		if seat == 0 {
			c.Refused = append(c.Refused, passenger)
			continue
		}
		c.Tickets[passenger] = seat
	}
}

// Sell opens a counter for each queue and waits until all are served.
func Sell(p *Plane, queues ...[]string) []*Counter {
	var wg sync.WaitGroup
	var counters []*Counter
	for _, q := range queues {
		c := &Counter{plane: p, Tickets: map[string]int{}}
		counters = append(counters, c)
		wg.Go(func() { c.Serve(q) })
	}
	wg.Wait()
	return counters
}
