package account

import "testing"

// BenchmarkWorkload is a bank with many customers. Two of them meet only where
// one passes money on to the other, so they can be served side by side.
func BenchmarkWorkload(b *testing.B) {
	const customers, first, rounds = 64, 1000, 4000
	for b.Loop() {
		bank := NewBank(customers, first)
		bank.Run(rounds)
		if got, want := bank.Total(), customers*(first+rounds*(deposit-withdraw)); got != want {
			b.Fatalf("the bank holds %d, want %d", got, want)
		}
	}
}
