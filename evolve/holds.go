package evolve

import (
	"context"
	"slices"
	"sync"
)

// holds are the places in the order of a generation of mutants that have a full score
// and no flag, and are not judged yet, because some before them are still being scored.
// Each may be the last that is needed: until it is judged, no scoring behind it starts,
// and nothing is built.
type holds struct {
	mu      sync.Mutex
	at      []int
	changed chan struct{} // closed with the next change; nil: nobody waits
}

// add holds what is behind a place.
func (h *holds) add(place int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = append(h.at, place)
}

// remove ends that; there need be none at the place.
func (h *holds) remove(place int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = slices.DeleteFunc(h.at, func(at int) bool { return at == place })
	if h.changed != nil {
		close(h.changed)
		h.changed = nil
	}
}

// has reports whether there is one at a place.
func (h *holds) has(place int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Contains(h.at, place)
}

// wait waits until nothing before a place holds it.
func (h *holds) wait(ctx context.Context, place int) error {
	for {
		h.mu.Lock()
		if !slices.ContainsFunc(h.at, func(at int) bool { return at < place }) {
			h.mu.Unlock()
			return ctx.Err()
		}
		if h.changed == nil {
			h.changed = make(chan struct{})
		}
		changed := h.changed
		h.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
