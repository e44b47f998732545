package accountsubtype

import "fmt"

// A Business is the account of a firm.
type Business struct {
	ledger
	register int // number in the register of companies
}

// NewBusiness opens a firm's account with a first payment.
func NewBusiness(name string, register, amount int) *Business {
	return &Business{ledger: ledger{name: name, amount: amount}, register: register}
}

// Transfer moves n from the account to another one.
func (b *Business) Transfer(to Account, n int) {
	other := to.books()
	b.mu.Lock()
	b.amount -= n
	b.mu.Unlock()

	// Not under b.mu: customers in a ring would wait for one another.
	other.mu.Lock()
	other.amount += n
	other.mu.Unlock()
}

// String formats the account for a statement.
func (b *Business) String() string {
	return fmt.Sprintf("%s (no. %d): %d", b.name, b.register, b.Amount())
}
