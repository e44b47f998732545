package bankaccount

import (
	"testing"

	"example.com/maple/internal/work"
)

func TestDeposit(t *testing.T) {
	var a Account
	deposit := func() { a.Deposit(10) }
	work.Both(deposit, deposit)
	if n := a.Balance(); n != 20 {
		t.Errorf("balance %d", n)
	}
}
