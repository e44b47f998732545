package cache4j

import (
	"fmt"
	"sync"
	"time"
)

// A Manager looks after caches that are known by name.
type Manager struct {
	cleaner *cleaner

	mu     sync.Mutex // guards caches
	caches map[string]*Cache
}

// NewManager makes a manager without caches whose cleaner does a round now and
// then. The caller has to close it.
func NewManager(cleanInterval time.Duration) *Manager {
	m := &Manager{caches: make(map[string]*Cache)}
	m.cleaner = newCleaner(cleanInterval, m.clean)
	go m.cleaner.run()
	return m
}

// Create makes a cache. Its name must be new.
func (m *Manager) Create(name string, config Config) (*Cache, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.caches[name] != nil {
		return nil, fmt.Errorf("there is a cache %q already", name)
	}
	c := New(config)
	m.caches[name] = c
	return c, nil
}

// Cache is the cache with a name, nil if there is none.
func (m *Manager) Cache(name string) *Cache {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.caches[name]
}

// SetCleanInterval changes the time between two rounds of the cleaner, also
// for the one it is waiting for.
func (m *Manager) SetCleanInterval(interval time.Duration) {
	m.cleaner.setInterval(interval)
}

// Close ends the cleaner and waits for it. The caches remain usable.
func (m *Manager) Close() {
	m.cleaner.close()
}

// clean removes expired entries from all caches.
func (m *Manager) clean() {
	for _, c := range m.all() {
		c.Clean()
	}
}

// all lists the caches.
func (m *Manager) all() []*Cache {
	m.mu.Lock()
	defer m.mu.Unlock()
	var caches []*Cache
	for _, c := range m.caches {
		caches = append(caches, c)
	}
	return caches
}
