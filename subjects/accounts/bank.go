// Package accounts is a bank whose clerks book random sums, each to an
// account of their own, while the bank keeps the sum of all bookings.
package accounts

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
)

// maxSum is the largest sum booked at once.
const maxSum = 1000

// An account is what one clerk looks after.
type account struct {
	id      int
	balance int
	seal    uint64 // of the journal of all bookings
}

// A Bank has one account for each clerk.
type Bank struct {
	accounts []account
	total    int // of all bookings
}

// NewBank opens a bank with n empty accounts.
func NewBank(n int) *Bank {
	b := &Bank{accounts: make([]account, n)}
	for i := range b.accounts {
		b.accounts[i].id = i
	}
	return b
}

// Service books a sum to an account, which only its own clerk does.
func (b *Bank) Service(id, sum int) {
	b.accounts[id].balance += sum
	b.total += sum
}

// Total is the sum of all bookings.
func (b *Bank) Total() int {
	return b.total
}

// Balances adds up the accounts' balances.
func (b *Bank) Balances() int {
	sum := 0
	for _, a := range b.accounts {
		sum += a.balance
	}
	return sum
}

// Seal is what shows whether somebody changed the journal of an account.
func (b *Bank) Seal(id int) uint64 {
	return b.accounts[id].seal
}

// Open lets every clerk make a number of bookings and waits until the last
// one has gone home. The sums are drawn from seed.
func (b *Bank) Open(bookings int, seed uint64) {
	var wg sync.WaitGroup
	for id := range b.accounts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b.clerk(id, bookings, seed)
		}()
	}
	wg.Wait()
}

// clerk books random sums, in and out, to one account, and keeps its journal.
func (b *Bank) clerk(id, bookings int, seed uint64) {
	sums := rand.New(rand.NewPCG(seed, uint64(id)))
	journal := fnv.New64a()
	for i := range bookings {
		sum := sums.IntN(2*maxSum+1) - maxSum
		b.Service(id, sum)
		fmt.Fprintf(journal, "booking %d: account %d, %+d\n", i, id, sum)
	}
	b.accounts[id].seal = journal.Sum64()
}
