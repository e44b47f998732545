package accountsubtype

import (
	"sync"
	"testing"
)

// Two persons pay each other both ways, and firms pay them, while others read. It
// fails if Personal.Transfer locks the receiver while the sender is held, or if it
// guards the receiver in another way than the other methods. Firms do not pay one
// another both ways: that Business.Transfer nests is a fault of its own.
func TestWiderPersons(t *testing.T) {
	const rounds = 200
	a, b := NewPersonal("a", 0), NewPersonal("b", 0)
	firm := NewBusiness("firm", 1, 0)
	var wg sync.WaitGroup
	for _, do := range []func(){
		func() { a.Transfer(b, 3) },
		func() { b.Transfer(a, 2) },
		func() { firm.Transfer(a, 1) },
		func() { b.Transfer(firm, 1) },
		func() { b.Deposit(1) },
		func() { firm.Withdraw(1) },
		func() { _, _ = b.String(), firm.String() },
	} {
		wg.Go(func() {
			for range rounds {
				do()
			}
		})
	}
	wg.Wait()
	if a.Amount() != 0 || b.Amount() != rounds || firm.Amount() != -rounds {
		t.Errorf("%v, %v, %v; want 0, %d and %d", a, b, firm, rounds, -rounds)
	}
}

// A person passes money on to the same account. It fails if two accounts are
// locked at once.
func TestWiderToItself(t *testing.T) {
	a := NewPersonal("a", 100)
	a.Transfer(a, 30)
	if a.Amount() != 100 {
		t.Errorf("%v after a transfer to itself, want 100", a)
	}
}

// Larger rings, in which persons follow one another's firms.
func TestWiderRing(t *testing.T) {
	b := NewBank(6, 0)
	b.Run(40)
	if got, want := b.Total(), 6*40*perRound; got != want {
		t.Errorf("the bank holds %d, want %d", got, want)
	}
}
