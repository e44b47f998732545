package taxi

import "sync"

// A Dispatcher hands out customers.
type Dispatcher struct {
	mu      sync.Mutex // guards waiting and served
	waiting []*Customer
	served  int

	taxis []*Taxi
}

// NewDispatcher has so many taxis, and customers that want to go from i to i+1.
func NewDispatcher(taxis, customers int) *Dispatcher {
	d := &Dispatcher{}
	for range taxis {
		d.taxis = append(d.taxis, &Taxi{dispatcher: d})
	}
	for i := range customers {
		d.waiting = append(d.waiting, &Customer{at: i, to: i + 1})
	}
	return d
}

// Next takes a customer from the queue; nil: there is none.
func (d *Dispatcher) Next() *Customer {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.waiting) == 0 {
		return nil
	}
	c := d.waiting[0]
	d.waiting = d.waiting[1:]
	return c
}

// Done counts a customer who has arrived.
func (d *Dispatcher) Done() {
	d.mu.Lock()
	d.served++
	d.mu.Unlock()
}

// Positions are those of all taxis.
func (d *Dispatcher) Positions() (all []int) {
	for _, t := range d.taxis {
		all = append(all, t.Location())
	}
	return all
}

// Run has all taxis work, and looks where they are meanwhile. It returns how many
// customers were served.
func (d *Dispatcher) Run() int {
	var wg sync.WaitGroup
	for _, t := range d.taxis {
		wg.Go(t.Work)
	}
	d.Positions()
	wg.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.served
}
