package mailer

import (
	"fmt"
	"hash/fnv"
	"sync"
	"testing"
)

// BenchmarkWorkload writes and sends many messages at once. The connection is
// common to them, and made once.
func BenchmarkWorkload(b *testing.B) {
	const senders, messages = 8, 400
	for b.Loop() {
		board := &switchboard{}
		m := New("example.com", board)
		var wg sync.WaitGroup
		for sender := range senders {
			wg.Go(func() {
				text := fnv.New64a()
				for i := range messages {
					fmt.Fprintf(text, "message %d of %d", i, sender)
					if err := m.Send(fmt.Sprint(text.Sum64()), "anna@example.com"); err != nil {
						b.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if board.dials != 1 {
			b.Fatalf("%d connections, want 1", board.dials)
		}
	}
}
