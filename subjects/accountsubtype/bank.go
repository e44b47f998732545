package accountsubtype

import (
	"fmt"
	"sync"
)

// What a customer pays in, draws out and passes on at a time.
const (
	deposit  = 10
	transfer = 10
	shopping = 20
	rent     = 100
)

// perRound is how much an account grows in a round, if the customer gets as
// much from others as it passes on.
const perRound = 2*deposit - shopping - rent

// A Bank is a ring of accounts: each customer passes money on to the next.
type Bank struct {
	accounts []Account
}

// NewBank opens n accounts with the same first payment: every third one is a
// private person's, from the first on, the others are firms'.
func NewBank(n, amount int) *Bank {
	b := &Bank{}
	for i := range n {
		name := fmt.Sprintf("customer %d", i)
		if i%3 == 0 {
			b.accounts = append(b.accounts, NewPersonal(name, amount))
		} else {
			b.accounts = append(b.accounts, NewBusiness(name, 1000+i, amount))
		}
	}
	return b
}

// Accounts lists the bank's accounts.
func (b *Bank) Accounts() []Account {
	return b.accounts
}

// Account is the account with a number; those past the last begin again at 0.
func (b *Bank) Account(number int) Account {
	return b.accounts[number%len(b.accounts)]
}

// Total is the money in all accounts together.
func (b *Bank) Total() int {
	sum := 0
	for _, a := range b.accounts {
		sum += a.Amount()
	}
	return sum
}

// Run has a manager do the rounds of each customer, all at once, and waits for
// the last one.
func (b *Bank) Run(rounds int) {
	var wg sync.WaitGroup
	for number := range b.accounts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b.manage(number, rounds)
		}()
	}
	wg.Wait()
}

// manage does one customer's rounds.
func (b *Bank) manage(number, rounds int) {
	account := b.Account(number)
	for range rounds {
		account.Transfer(b.Account(number+1), transfer)
		account.Deposit(deposit)
		account.Withdraw(shopping)
		account.Deposit(deposit)
		account.Transfer(b.Account(number+1), transfer)
		account.Withdraw(rent)
	}
}
