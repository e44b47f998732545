package checker

import (
	"sync"
	"time"
)

// Builds is the cost of all builds so far.
type Builds struct {
	Programs    int           // built
	Executables int           // linked, those that failed included
	Schemata    int           // of Programs, those that are variants of functions in one executable
	Time        time.Duration // wall-clock, spent in building; builds side by side count once
}

// Builds returns what the checker's builds have cost so far.
func (c *Checker) Builds() Builds { return c.builds.get() }

// A meter measures building.
type meter struct {
	mu    sync.Mutex
	so    Builds
	at    int       // builds under way
	since time.Time // when the first of them began
}

// begin notes that a build runs until end is called.
func (m *meter) begin() (end func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at == 0 {
		m.since = time.Now()
	}
	m.at++
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.at--; m.at == 0 {
			m.so.Time += time.Since(m.since)
		}
	}
}

// add counts programs and executables.
func (m *meter) add(programs, executables int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.so.Programs += programs
	m.so.Executables += executables
}

// schema counts programs in a schema.
func (m *meter) schema(programs int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.so.Schemata += programs
}

// get is what was measured until now.
func (m *meter) get() Builds {
	m.mu.Lock()
	defer m.mu.Unlock()
	so := m.so
	if m.at > 0 {
		so.Time += time.Since(m.since)
	}
	return so
}
