// Package bankaccount has the bug of the synthetic program BankAccount: a deposit
// reads the balance in one critical section and writes it in another one.
package bankaccount

import "sync"

// An Account is safe for concurrent use, but for its deposits.
type Account struct {
	mu      sync.Mutex
	balance int
}

// Balance is what is in the account.
func (a *Account) Balance() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

func (a *Account) set(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance = n
}

// Deposit adds an amount.
func (a *Account) Deposit(n int) { a.set(a.Balance() + n) }
