package accounts

import (
	"sync"
	"testing"
)

// Somebody reads the total while clerks book. It fails if only Service is guarded.
func TestWiderTotalMeanwhile(t *testing.T) {
	b := NewBank(4)
	stop := make(chan struct{})
	var reader sync.WaitGroup
	reader.Go(func() {
		for {
			_ = b.Total()
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	b.Open(50, 3)
	close(stop)
	reader.Wait()
	if b.Total() != b.Balances() {
		t.Errorf("the bank has booked %d, its accounts hold %d", b.Total(), b.Balances())
	}
}

// Clerks book directly, without Open, and two banks at once. It fails if the lock
// is in the goroutines that Open starts.
func TestWiderService(t *testing.T) {
	banks := []*Bank{NewBank(3), NewBank(3)}
	var wg sync.WaitGroup
	for _, b := range banks {
		for id := range 3 {
			wg.Go(func() {
				for range 100 {
					b.Service(id, id+1)
				}
			})
		}
	}
	wg.Wait()
	for i, b := range banks {
		if b.Total() != 600 || b.Balances() != 600 {
			t.Errorf("bank %d: total %d, balances %d, want 600", i, b.Total(), b.Balances())
		}
	}
}
