// Package account keeps the accounts of a small bank and lets its customers
// pay in, draw out and pass money on to one another at the same time.
package account

import (
	"fmt"
	"sync"
)

// An Account is one customer's money. It may be used by several goroutines.
type Account struct {
	name string

	mu     sync.Mutex // guards amount
	amount int
}

// New opens an account with a first payment.
func New(name string, amount int) *Account {
	return &Account{name: name, amount: amount}
}

// Name is the customer's name.
func (a *Account) Name() string {
	return a.name
}

// Amount is the money in the account.
func (a *Account) Amount() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.amount
}

// Deposit pays n into the account.
func (a *Account) Deposit(n int) {
	a.mu.Lock()
	a.amount += n
	a.mu.Unlock()
}

// Withdraw draws n out of the account, which may become negative.
func (a *Account) Withdraw(n int) {
	a.mu.Lock()
	a.amount -= n
	a.mu.Unlock()
}

// Transfer moves n from the account to another one.
func (a *Account) Transfer(to *Account, n int) {
	a.mu.Lock()
	a.amount -= n
	a.mu.Unlock()

	// Not under a.mu: customers in a ring would wait for one another.
	to.mu.Lock()
	to.amount += n
	to.mu.Unlock()
}

// String formats the account for a statement.
func (a *Account) String() string {
	return fmt.Sprintf("%s: %d", a.name, a.Amount())
}
