package cache4j

import (
	"slices"
	"testing"
	"time"
)

func TestEviction(t *testing.T) {
	for _, test := range []struct {
		name      string
		algorithm Algorithm
		want      []string
	}{
		{"LRU", LRU, []string{"b", "c"}},
		{"FIFO", FIFO, []string{"a", "b"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var gone []string
			c := New(Config{
				Capacity:  3,
				Algorithm: test.algorithm,
				OnEvict:   func(key string, _ any) { gone = append(gone, key) },
			})
			for i, key := range []string{"a", "b", "c"} {
				c.Put(key, i)
			}
			if v, ok := c.Get("a"); !ok || v != 0 {
				t.Errorf("a: %v, %t", v, ok)
			}
			c.Put("d", 3)
			c.Put("e", 4)
			if !slices.Equal(gone, test.want) {
				t.Errorf("%v had to go, want %v", gone, test.want)
			}
			if got, want := c.Stats(), (Stats{Hits: 1, Evicted: 2}); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

func TestExpiry(t *testing.T) {
	var clock clock
	c := New(Config{TTL: time.Minute, Now: clock.now})
	c.Put("a", 1)
	c.Put("b", 2)
	clock.seconds.Add(30)
	c.Put("a", 3)
	clock.seconds.Add(30)
	if _, ok := c.Get("b"); ok {
		t.Error("b lives on")
	}
	c.Clean()
	if v, ok := c.Get("a"); !ok || v != 3 || c.Len() != 1 {
		t.Errorf("a: %v, %t, in a cache of %d", v, ok, c.Len())
	}
	if !c.Remove("a") || c.Remove("a") {
		t.Error("a can be removed once")
	}
	if got, want := c.Stats(), (Stats{Hits: 1, Misses: 1, Expired: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
