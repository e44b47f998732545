package dispatcher

import "testing"

// BenchmarkWorkload sends many messages whose sealing takes a while; no two
// have anything in common but the ledger.
func BenchmarkWorkload(b *testing.B) {
	const messages, rounds = 400, 400
	for b.Loop() {
		d := New(8, rounds)
		d.Run(fill(messages))
		for i := range messages {
			if got := d.Receipts(i); len(got) != 1 {
				b.Fatalf("message %d has %d receipts", i, len(got))
			}
		}
	}
}
