package accounts

import "testing"

func TestTotal(t *testing.T) {
	b := NewBank(3)
	b.Open(6, 1)
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

func TestSeal(t *testing.T) {
	var seals [3]uint64
	for i, seed := range []uint64{1, 1, 2} {
		b := NewBank(1)
		b.Open(3, seed)
		seals[i] = b.Seal(0)
	}
	if seals[0] != seals[1] || seals[0] == seals[2] {
		t.Errorf("seals of the same journal twice, and of another one: %x", seals)
	}
}
