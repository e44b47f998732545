package airline

import (
	"fmt"
	"sync"
	"testing"
)

// The seats sold and the end of the sales are looked at while counters sell. It
// fails if only Sell is guarded, or only one of its two fields.
func TestWiderLookMeanwhile(t *testing.T) {
	const capacity, counters = 40, 4
	f := NewFlight("MD 15", capacity)
	var wg sync.WaitGroup
	var mu sync.Mutex
	seats := map[string]int{}
	for range counters {
		wg.Go(func() {
			for i := range capacity / 2 {
				ticket, ok := f.Sell(fmt.Sprint(i))
				if !ok {
					continue
				}
				mu.Lock()
				seats[ticket.Seat]++
				mu.Unlock()
			}
		})
	}
	for range 2 {
		wg.Go(func() {
			for range capacity {
				stopped := f.SalesStopped()
				if sold := f.Sold(); sold > f.Capacity() || stopped && sold != capacity {
					t.Errorf("%d of %d seats are sold, sales stopped: %t", sold, capacity, stopped)
				}
			}
		})
	}
	wg.Wait()
	if len(seats) != capacity || f.Sold() != capacity || !f.SalesStopped() {
		t.Errorf("%d different seats of %d, %d sold", len(seats), capacity, f.Sold())
	}
	for seat, n := range seats {
		if n != 1 {
			t.Errorf("seat %s was sold %d times", seat, n)
		}
	}
}

// A flight without seats, and an office whose counters find it sold out. It fails
// if the early return of Sell leaves a lock behind.
func TestWiderSoldOut(t *testing.T) {
	f := NewFlight("MD 15", 1)
	o := NewOffice(f, []string{"a", "b"}, []string{"c"}, []string{"d", "e"})
	o.Open()
	if len(o.Tickets()) != 1 || len(o.TurnedAway()) != 4 {
		t.Errorf("tickets %v, turned away %v", o.Tickets(), o.TurnedAway())
	}
	if _, ok := NewFlight("MD 16", 0).Sell("a"); ok {
		t.Error("there is no seat")
	}
}
