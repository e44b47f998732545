package cache4j

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"testing"
	"time"
)

// BenchmarkWorkload has several goroutines that use caches, one each and one in
// common, and compute what they do not find there. The cleaner goes through the
// caches all the while, and an administrator keeps changing its interval, which
// must not take as long as the cleaner sleeps.
func BenchmarkWorkload(b *testing.B) {
	const users, lookups, keys, changes = 4, 1500, 200, 20
	for b.Loop() {
		m := NewManager(2 * time.Millisecond)
		common, err := m.Create("common", Config{Capacity: keys})
		if err != nil {
			b.Fatal(err)
		}
		var wg sync.WaitGroup
		for i := range users {
			own, err := m.Create(fmt.Sprintf("user %d", i), Config{Capacity: keys / 2, Algorithm: FIFO})
			if err != nil {
				b.Fatal(err)
			}
			wg.Go(func() {
				for j := range lookups {
					key := fmt.Sprintf("key %d", j%keys)
					if sum(own, key) != sum(common, key) {
						b.Errorf("two sums of %q", key)
					}
				}
			})
		}
		wg.Go(func() {
			for i := range changes {
				m.SetCleanInterval(time.Duration(2+i%2) * time.Millisecond)
				for j := range 50 {
					digest(fmt.Sprintf("line %d of log %d", j, i))
				}
			}
		})
		wg.Wait()
		m.Close()
	}
}

// sum looks a key's digest up in a cache, or computes it.
func sum(c *Cache, key string) [sha256.Size]byte {
	if v, ok := c.Get(key); ok {
		return v.([sha256.Size]byte)
	}
	d := digest(key)
	c.Put(key, d)
	return d
}

// digest hashes a key many times over.
func digest(key string) [sha256.Size]byte {
	d := sha256.Sum256([]byte(key))
	for range 20 {
		d = sha256.Sum256(d[:])
	}
	return d
}
