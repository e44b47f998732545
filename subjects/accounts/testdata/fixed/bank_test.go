package accounts

import "testing"

func TestTotal(t *testing.T) {
	b := NewBank(5)
	b.Open(40, 1)
	if b.Total() != b.Balances() {
		t.Errorf("the bank has booked %d, its accounts hold %d", b.Total(), b.Balances())
	}
}

func TestService(t *testing.T) {
	b := NewBank(2)
	b.Service(0, 5)
	b.Service(1, -2)
	if b.Total() != 3 || b.Balances() != 3 {
		t.Errorf("after bookings of 5 and -2: total %d, balances %d", b.Total(), b.Balances())
	}
}
