package language

import (
	"sync"
	"testing"
)

func TestFold(t *testing.T) {
	tab := NewTable[string]("t")
	var wg sync.WaitGroup
	put := tab.Put[int]
	wg.Go(func() { put("a", 1) })
	wg.Go(func() { (*Table[string]).Put[string](tab, "b", "x") })
	wg.Wait()
	if n := tab.Fold(0, func(n, v int) int { return n + v }); n != 1 {
		t.Error(n)
	}
}

func TestStarts(t *testing.T) {
	var s Shelf
	if n := s.Starts("four"); n != 9 {
		t.Error(n)
	}
}

func TestMerged(t *testing.T) {
	c := make(chan Total)
	go func() {
		defer close(c)
		c <- Total{1}
		c <- Total{2}
	}()
	if got := Merged(c, Total{}); got.n != 3 {
		t.Error(got)
	}
}

func TestDoubled(t *testing.T) {
	if got := Doubled(1); got != 32 {
		t.Error(got)
	}
}
