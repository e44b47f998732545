package dispatcher

import (
	"fmt"
	"sync"
	"testing"
)

// Longer queues with other limits, two at a time on one dispatcher, whose ledger
// is read meanwhile. It fails if a lock around the accesses to the job ends the
// race and two goroutines still see the same job.
func TestWiderRun(t *testing.T) {
	const messages = 30
	for _, limit := range []int{1, 3, messages} {
		d := New(limit, 1)
		var wg sync.WaitGroup
		for q := range 2 {
			queue := new(Queue)
			for i := range messages {
				queue.Add(fmt.Sprint(q), fmt.Sprintf("text %d of %d", i, q))
			}
			wg.Go(func() { d.Run(queue) })
		}
		wg.Go(func() {
			for i := range messages {
				if n := len(d.Receipts(i)); n > 2 {
					t.Errorf("message %d was sent %d times", i, n)
				}
			}
		})
		wg.Wait()
		for i := range messages {
			got := d.Receipts(i)
			if len(got) != 2 || got[0].To == got[1].To {
				t.Errorf("limit %d: message %d of both queues has the receipts %v", limit, i, got)
				continue
			}
			for _, r := range got {
				if want := Seal(fmt.Sprintf("text %d of %s", i, r.To), 1); r.Seal != want {
					t.Errorf("limit %d: message %d of queue %s has another one's seal", limit, i, r.To)
				}
			}
		}
	}
}
