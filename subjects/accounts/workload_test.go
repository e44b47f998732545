package accounts

import "testing"

// BenchmarkWorkload is a bank with many clerks. Only the total is common to
// them; what a clerk does besides can go on side by side.
func BenchmarkWorkload(b *testing.B) {
	const clerks, bookings = 16, 2500
	for b.Loop() {
		bank := NewBank(clerks)
		bank.Open(bookings, 1)
		if bank.Total() != bank.Balances() {
			b.Fatalf("the bank has booked %d, its accounts hold %d", bank.Total(), bank.Balances())
		}
	}
}
