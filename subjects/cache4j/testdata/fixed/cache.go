// Package cache4j is an in-memory cache. A cache holds a limited number of
// entries for a limited time; a manager looks after several caches, which one
// cleaner rids of expired entries in the background.
package cache4j

import (
	"sync"
	"time"
)

// An Algorithm decides which entry has to go when a cache is full.
type Algorithm int

const (
	LRU  Algorithm = iota // the one not used for the longest time
	FIFO                  // the oldest one
)

// A Config describes a cache. The zero value is an LRU cache without limits.
type Config struct {
	Capacity  int           // entries at most; 0: any number
	TTL       time.Duration // how long entries live; 0: until they are evicted
	Algorithm Algorithm

	// OnEvict, unless nil, is told about each entry that is evicted or has
	// expired. It may use the cache.
	OnEvict func(key string, value any)

	// Now is the clock, nil for time.Now.
	Now func() time.Time
}

// Stats says what a cache was good for.
type Stats struct {
	Hits, Misses int
	Evicted      int // because the cache was full
	Expired      int
}

// A Cache maps keys to values. It may be used by several goroutines.
type Cache struct {
	config Config

	mu      sync.Mutex // guards what follows
	entries map[string]*entry
	order   list // the first one goes first
	stats   Stats
}

// New makes an empty cache that belongs to no manager.
func New(config Config) *Cache {
	if config.Now == nil {
		config.Now = time.Now
	}
	c := &Cache{config: config, entries: make(map[string]*entry)}
	c.order.init()
	return c
}

// Put stores a value. If the cache is full, another one has to go.
func (c *Cache) Put(key string, value any) {
	evicted := c.put(key, value)
	c.tell(evicted)
}

// put stores a value and returns the entries that had to go.
func (c *Cache) put(key string, value any) []*entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.entries[key]; old != nil {
		c.remove(old)
	}
	var evicted []*entry
	for c.config.Capacity > 0 && len(c.entries) >= c.config.Capacity {
		first := c.order.first()
		c.remove(first)
		c.stats.Evicted++
		evicted = append(evicted, first)
	}
	e := &entry{key: key, value: value, created: c.config.Now()}
	c.entries[key] = e
	c.order.pushLast(e)
	return evicted
}

// Get returns the value of a key, unless there is none or it has expired.
func (c *Cache) Get(key string) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil || c.expired(e) {
		c.stats.Misses++
		return nil, false
	}
	if c.config.Algorithm == LRU {
		c.order.unlink(e)
		c.order.pushLast(e)
	}
	c.stats.Hits++
	return e.value, true
}

// Remove takes out a key and reports whether it was there.
func (c *Cache) Remove(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		return false
	}
	c.remove(e)
	return true
}

// Len is the number of entries, with those that have expired but were not
// removed yet.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.entries)
}

// Stats says how the cache was used up to now.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}

// Clean removes all entries that have expired.
func (c *Cache) Clean() {
	c.tell(c.removeExpired())
}

func (c *Cache) removeExpired() []*entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	var gone []*entry
	for e := c.order.first(); e != nil; {
		next := c.order.next(e)
		if c.expired(e) {
			c.remove(e)
			c.stats.Expired++
			gone = append(gone, e)
		}
		e = next
	}
	return gone
}

// expired reports whether an entry has lived long enough.
func (c *Cache) expired(e *entry) bool {
	return c.config.TTL > 0 && c.config.Now().Sub(e.created) >= c.config.TTL
}

// remove takes an entry out. The caller holds mu.
func (c *Cache) remove(e *entry) {
	delete(c.entries, e.key)
	c.order.unlink(e)
}

// tell reports entries that are gone. The caller does not hold mu.
func (c *Cache) tell(gone []*entry) {
	if c.config.OnEvict == nil {
		return
	}
	for _, e := range gone {
		c.config.OnEvict(e.key, e.value)
	}
}
