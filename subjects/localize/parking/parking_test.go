package parking

import "testing"

func TestRun(t *testing.T) {
	cash := &Cash{}
	stats := NewStats(cash)
	Run(stats, 2)
	if cars, motorcycles := stats.Inside(); cars != 2 || motorcycles != 0 {
		t.Errorf("%d cars and %d motorcycles are inside, want 2 and 0", cars, motorcycles)
	}
	if got := cash.Close(); got != 2*(carFee+motorcycleFee) {
		t.Errorf("%d was taken, want %d", got, 2*(carFee+motorcycleFee))
	}
}
