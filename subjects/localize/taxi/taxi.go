// Package taxi has taxis drive customers to where they want to go, as a dispatcher
// tells them.
package taxi

import "sync"

// A Customer waits to be driven.
type Customer struct {
	at, to int
	driven bool
}

// A Taxi drives one customer at a time.
type Taxi struct {
	dispatcher *Dispatcher

	mu       sync.Mutex // guards location
	location int
	distance int // the taxi's own
}

// Location is where the taxi is.
func (t *Taxi) Location() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.location
}

// goTo drives somewhere.
func (t *Taxi) goTo(place int) {
	from := t.Location()
	t.distance += max(place-from, from-place)
	t.mu.Lock()
	t.location = place
	t.mu.Unlock()
}

// Work serves customers until there are no more.
func (t *Taxi) Work() {
	for {
		c := t.dispatcher.Next()
		if c == nil {
			return
		}
		t.goTo(c.at)
		t.goTo(c.to)
		c.driven = true
		t.dispatcher.Done()
	}
}
