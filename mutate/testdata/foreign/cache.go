// Package foreign locks what it has of a type that others use without a lock.
package foreign

import (
	"sync"

	"example.com/foreign/inner"
	"example.com/foreign/plain"
)

type Cache struct {
	mu      sync.Mutex
	entries map[string]*inner.Entry
	list    plain.List
}

func (c *Cache) Set(key string, n int) {
	c.entries[key].Value = n
}

func (c *Cache) Get(key string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return inner.Sum(c.entries[key])
}

func (c *Cache) Peek(key string) int {
	return inner.Double(c.entries[key])
}
