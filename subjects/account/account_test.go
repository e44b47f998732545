package account

import "testing"

// Every customer passes on as much as the previous one passes to them, so all
// accounts grow alike.
func TestRing(t *testing.T) {
	const (
		customers = 3
		first     = 1000
		rounds    = 3
	)
	b := NewBank(customers, first)
	b.Run(rounds)

	want := first + rounds*(deposit-withdraw)
	for _, a := range b.Accounts() {
		if a.Amount() != want {
			t.Errorf("%v, want %d", a, want)
		}
	}
	if got := b.Total(); got != customers*want {
		t.Errorf("the bank holds %d, want %d", got, customers*want)
	}
}

func TestTransfer(t *testing.T) {
	a, b := New("a", 100), New("b", 10)
	a.Transfer(b, 30)
	if a.Amount() != 70 || b.Amount() != 40 {
		t.Errorf("after a transfer of 30 from 100 to 10: %v, %v", a, b)
	}
}
