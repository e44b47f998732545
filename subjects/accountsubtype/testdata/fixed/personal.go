package accountsubtype

import "fmt"

// A Personal is the account of a private person.
type Personal struct {
	ledger
}

// NewPersonal opens a person's account with a first payment.
func NewPersonal(name string, amount int) *Personal {
	return &Personal{ledger{name: name, amount: amount}}
}

// Transfer moves n from the account to another one.
func (p *Personal) Transfer(to Account, n int) {
	other := to.books()
	p.mu.Lock()
	p.amount -= n
	p.mu.Unlock()

	// Not under p.mu: customers in a ring would wait for one another.
	other.mu.Lock()
	other.amount += n
	other.mu.Unlock()
}

// String formats the account for a statement.
func (p *Personal) String() string {
	return fmt.Sprintf("%s: %d", p.name, p.Amount())
}
