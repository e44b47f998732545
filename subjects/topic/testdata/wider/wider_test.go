package topic

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// Subscribers come and leave, some of them twice at once, while several publish.
// What was taken is received. It fails if a message may still be offered after the
// channel was closed, if one that was taken is lost, or if channels stay open.
func TestWiderCancel(t *testing.T) {
	for range 50 {
		var news Topic
		var taken, received atomic.Int64
		var publishers, subscribers sync.WaitGroup
		for i := range 4 {
			s := news.Subscribe(i) // the first one has no room
			subscribers.Go(func() {
				for n := 0; n < i; n++ {
					if _, ok := <-s.Messages(); ok {
						received.Add(1)
					}
				}
				var both sync.WaitGroup
				both.Go(s.Cancel)
				both.Go(s.Cancel)
				both.Wait()
				for range s.Messages() {
					received.Add(1)
				}
			})
		}
		for p := range 2 {
			publishers.Go(func() {
				for m := range 10 {
					taken.Add(int64(news.Publish(fmt.Sprintf("%d of %d", m, p))))
				}
			})
		}
		late := news.Subscribe(100)
		publishers.Wait()
		late.Cancel()
		for range late.Messages() {
			received.Add(1)
		}
		subscribers.Wait()
		if taken.Load() != received.Load() || news.Published() != 20 {
			t.Fatalf("%d messages were taken and %d received; %d published", taken.Load(), received.Load(), news.Published())
		}
	}
}
