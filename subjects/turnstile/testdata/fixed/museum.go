package turnstile

import "sync"

// A Room is what visitors go through, with a guard who keeps count of the most
// that were there at a time.
type Room struct {
	mu         sync.Mutex
	here, most int
}

func (r *Room) enter() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.here++
	r.most = max(r.most, r.here)
}

func (r *Room) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.here--
}

// Most is the most visitors that were there at a time.
func (r *Room) Most() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.most
}

// A Museum has a turnstile and one room behind it.
type Museum struct {
	Gate *Turnstile
	Room *Room
}

// NewMuseum opens a museum with room for limit visitors.
func NewMuseum(limit int) *Museum {
	return &Museum{Gate: New(limit), Room: &Room{}}
}

// Visit goes in, looks, and leaves again; it is false if the museum is full.
func (m *Museum) Visit(look func()) bool {
	if !m.Gate.Enter() {
		return false
	}
	m.Room.enter()
	look()
	m.Room.leave()
	m.Gate.Leave()
	return true
}

// Day has visitors come at the same time and returns how many got in.
func (m *Museum) Day(visitors int, look func()) int {
	var wg sync.WaitGroup
	got := make([]bool, visitors)
	for i := range visitors {
		wg.Add(1)
		go func() {
			defer wg.Done()
			got[i] = m.Visit(look)
		}()
	}
	wg.Wait()
	in := 0
	for _, ok := range got {
		if ok {
			in++
		}
	}
	return in
}
