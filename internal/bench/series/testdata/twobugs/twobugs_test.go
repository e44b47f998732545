package twobugs

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var c Counter
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 10 {
				c.Add()
			}
		})
	}
	wg.Wait()
	if n := c.Value(); n != 40 {
		t.Errorf("counted %d of 40", n)
	}
}

func TestPair(t *testing.T) {
	var p Pair
	var wg sync.WaitGroup
	wg.Go(func() { p.Give(1) })
	wg.Go(func() { p.Take(1) })
	wg.Wait()
	if p.a != 0 || p.b != 0 {
		t.Errorf("%d and %d", p.a, p.b)
	}
}
