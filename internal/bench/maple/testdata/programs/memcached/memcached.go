// Package memcached has the bug of memcached #127: incr gets the item, computes, and
// stores it, and each step is under the lock alone.
package memcached

import (
	"strconv"
	"sync"
)

// A Cache maps keys to text.
type Cache struct {
	mu    sync.Mutex
	items map[string]string
}

// Get returns the value of a key.
func (c *Cache) Get(key string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.items[key]
}

// Set stores the value of a key.
func (c *Cache) Set(key, value string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.items[key] = value
}

// Incr adds to a number.
func (c *Cache) Incr(key string, n int) {
	old, _ := strconv.Atoi(c.Get(key))
	c.Set(key, strconv.Itoa(old+n))
}
