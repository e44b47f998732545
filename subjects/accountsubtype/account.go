// Package accountsubtype keeps the accounts of a bank with two kinds of
// customers, businesses and private persons, all of whom pay in, draw out and
// pass money on to one another at the same time.
package accountsubtype

import "sync"

// An Account is one customer's money. It may be used by several goroutines.
type Account interface {
	// Name is the customer's name.
	Name() string
	// Amount is the money in the account.
	Amount() int
	// Deposit pays n into the account.
	Deposit(n int)
	// Withdraw draws n out of the account, which may become negative.
	Withdraw(n int)
	// Transfer moves n from the account to another one.
	Transfer(to Account, n int)
	// String formats the account for a statement.
	String() string

	books() *ledger
}

// A ledger is what all kinds of accounts have in common.
type ledger struct {
	name string

	mu     sync.Mutex // guards amount
	amount int
}

func (l *ledger) books() *ledger {
	return l
}

func (l *ledger) Name() string {
	return l.name
}

func (l *ledger) Amount() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.amount
}

func (l *ledger) Deposit(n int) {
	l.mu.Lock()
	l.amount += n
	l.mu.Unlock()
}

func (l *ledger) Withdraw(n int) {
	l.mu.Lock()
	l.amount -= n
	l.mu.Unlock()
}
