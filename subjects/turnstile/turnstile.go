// Package turnstile lets no more visitors into a museum than there is room for.
package turnstile

import "sync"

// A Turnstile counts who is inside. There may be many entrances and exits.
type Turnstile struct {
	limit int // of visitors at a time

	mu     sync.Mutex
	inside int // now
	sold   int // tickets, all day
	turned int // away, because it was full
}

// New makes a turnstile for a museum with room for limit visitors.
func New(limit int) *Turnstile { return &Turnstile{limit: limit} }

// Enter lets a visitor in, unless it is full.
func (t *Turnstile) Enter() bool {
	if t.inside >= t.limit {
		t.turned++
		return false
	}
	t.inside++
	t.sold++
	return true
}

// Leave lets a visitor out.
func (t *Turnstile) Leave() {
	t.mu.Lock()
	t.inside--
	t.mu.Unlock()
}

// Counts are the visitors inside, the tickets sold, and those turned away.
func (t *Turnstile) Counts() (inside, sold, turned int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.inside, t.sold, t.turned
}
