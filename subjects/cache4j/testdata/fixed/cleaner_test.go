package cache4j

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A clock is set by hand.
type clock struct {
	seconds atomic.Int64
}

func (c *clock) now() time.Time {
	return time.Unix(c.seconds.Load(), 0)
}

// The cleaner starts with an interval for which nobody would wait; each of
// two administrators shortens it.
func TestSetCleanInterval(t *testing.T) {
	m := NewManager(time.Hour)
	defer m.Close()
	var clock clock
	gone := make(chan string, 3)
	c, err := m.Create("users", Config{
		TTL:     time.Minute,
		OnEvict: func(key string, _ any) { gone <- key },
		Now:     clock.now,
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Put("anna", 1)
	c.Put("bert", 2)
	clock.seconds.Add(90)
	c.Put("carl", 3)

	var wg sync.WaitGroup
	for _, interval := range []time.Duration{time.Millisecond, 2 * time.Millisecond} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			m.SetCleanInterval(interval)
		}()
	}
	wg.Wait()

	patience := time.After(10 * time.Second)
	for range 2 {
		select {
		case key := <-gone:
			if key == "carl" {
				t.Errorf("%s expired too early", key)
			}
		case <-patience:
			t.Fatalf("the cleaner left %d entries, want 1", c.Len())
		}
	}
	if _, ok := c.Get("carl"); !ok || c.Len() != 1 {
		t.Errorf("%d entries are left, carl among them: %t", c.Len(), ok)
	}
}

func TestManager(t *testing.T) {
	m := NewManager(time.Hour)
	defer m.Close()
	c, err := m.Create("users", Config{})
	if err != nil || m.Cache("users") != c || m.Cache("groups") != nil {
		t.Errorf("users: %v, %v; groups: %v", m.Cache("users"), err, m.Cache("groups"))
	}
	if _, err := m.Create("users", Config{}); err == nil {
		t.Error("two caches of the same name")
	}
}
