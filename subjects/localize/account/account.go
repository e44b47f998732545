// Package account lets the customers of a bank use their accounts at the same
// time, and a manager look at them.
package account

import "sync"

// An Account is the money of one customer.
type Account struct {
	name string

	mu     sync.Mutex // guards amount
	amount float64
}

// New opens an account.
func New(name string, amount float64) *Account { return &Account{name: name, amount: amount} }

// Deposit pays money in.
func (a *Account) Deposit(money float64) {
	a.mu.Lock()
	a.amount += money
	a.mu.Unlock()
}

// Withdraw draws money out.
func (a *Account) Withdraw(money float64) {
	a.mu.Lock()
	a.amount -= money
	a.mu.Unlock()
}

// Transfer moves money to another account. It never holds both locks.
func (a *Account) Transfer(to *Account, money float64) {
	a.mu.Lock()
	a.amount -= money
	a.mu.Unlock()
	to.mu.Lock()
	to.amount += money
	to.mu.Unlock()
}

// Amount is what is in the account.
func (a *Account) Amount() float64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.amount
}
