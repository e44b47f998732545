package account

import (
	"fmt"
	"sync"
)

// What a customer pays in, draws out and passes on in each round.
const (
	deposit  = 300
	withdraw = 100
	transfer = 99
)

// A Bank is a ring of accounts: each customer passes money on to the next.
type Bank struct {
	accounts []*Account
}

// NewBank opens n accounts with the same first payment.
func NewBank(n, amount int) *Bank {
	b := &Bank{}
	for i := range n {
		b.accounts = append(b.accounts, New(fmt.Sprintf("customer %d", i), amount))
	}
	return b
}

// Accounts lists the bank's accounts.
func (b *Bank) Accounts() []*Account {
	return b.accounts
}

// Total is the money in all accounts together.
func (b *Bank) Total() int {
	sum := 0
	for _, a := range b.accounts {
		sum += a.Amount()
	}
	return sum
}

// Run lets all customers do their rounds at once and waits for the last one.
func (b *Bank) Run(rounds int) {
	var wg sync.WaitGroup
	for i, a := range b.accounts {
		next := b.accounts[(i+1)%len(b.accounts)]
		wg.Add(1)
		go func() {
			defer wg.Done()
			serve(a, next, rounds)
		}()
	}
	wg.Wait()
}

// serve does one customer's rounds.
func serve(own, next *Account, rounds int) {
	for range rounds {
		own.Deposit(deposit)
		own.Withdraw(withdraw)
		own.Transfer(next, transfer)
	}
}
