package gotool

import (
	"sync"
	"time"
)

// Builds is the cost of all builds so far.
type Builds struct {
	Programs    int           // built
	Executables int           // linked, those that failed included
	Variants    int           // of Programs, those that are variants of functions in one executable
	Time        time.Duration // wall-clock, spent in building; builds side by side count once
}

// Plus is the sum of two costs.
func (b Builds) Plus(more Builds) Builds {
	return Builds{b.Programs + more.Programs, b.Executables + more.Executables, b.Variants + more.Variants, b.Time + more.Time}
}

// A BuildMeter measures building. Its zero value begins; it is safe for concurrent use.
type BuildMeter struct {
	mu    sync.Mutex
	so    Builds
	at    int       // builds under way
	since time.Time // when the first of them began
}

// Begin notes that a build runs until end is called.
func (m *BuildMeter) Begin() (end func()) {
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

// Add counts programs and executables.
func (m *BuildMeter) Add(programs, executables int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.so.Programs += programs
	m.so.Executables += executables
}

// Variants counts programs that are variants of functions in one executable, which Add has
// counted.
func (m *BuildMeter) Variants(programs int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.so.Variants += programs
}

// Builds is what was measured until now.
func (m *BuildMeter) Builds() Builds {
	m.mu.Lock()
	defer m.mu.Unlock()
	so := m.so
	if m.at > 0 {
		so.Time += time.Since(m.since)
	}
	return so
}
