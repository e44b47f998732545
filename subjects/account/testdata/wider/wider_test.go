package account

import (
	"strings"
	"sync"
	"testing"
)

// Two customers pay each other both ways, and others read and pay in meanwhile.
// It fails if the receiver is locked while the sender is held, or if a fix guards
// the receiver in another way than Deposit, Amount and String do.
func TestWiderBothWays(t *testing.T) {
	const rounds = 200
	a, b := New("a", 1000), New("b", 1000)
	var wg sync.WaitGroup
	for _, do := range []func(){
		func() { a.Transfer(b, 3) },
		func() { b.Transfer(a, 2) },
		func() { b.Deposit(1) },
		func() { a.Withdraw(1) },
		func() {
			if !strings.HasPrefix(b.String(), "b: ") {
				t.Errorf("the statement is %q", b)
			}
		},
		func() { _ = a.Amount() },
	} {
		wg.Go(func() {
			for range rounds {
				do()
			}
		})
	}
	wg.Wait()
	if wantA, wantB := 1000-2*rounds, 1000+2*rounds; a.Amount() != wantA || b.Amount() != wantB {
		t.Errorf("%v, %v; want %d, %d", a, b, wantA, wantB)
	}
}

// Who passes money on to the same account has as much as before. It fails if two
// accounts are locked at once.
func TestWiderToItself(t *testing.T) {
	a := New("a", 100)
	a.Transfer(a, 30)
	if a.Amount() != 100 {
		t.Errorf("%v after a transfer to itself, want 100", a)
	}
}

// The ring of two is the shortest in which all wait for one another.
func TestWiderRings(t *testing.T) {
	for _, customers := range []int{1, 2, 5} {
		b := NewBank(customers, 10)
		b.Run(50)
		if got, want := b.Total(), customers*(10+50*(deposit-withdraw)); got != want {
			t.Errorf("%d customers have %d, want %d", customers, got, want)
		}
	}
}
