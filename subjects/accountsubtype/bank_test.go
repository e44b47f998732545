package accountsubtype

import "testing"

// Every customer passes on as much as the previous one passes to them, so all
// accounts change alike.
func TestRing(t *testing.T) {
	const (
		customers = 3
		first     = 1000
		rounds    = 1
	)
	b := NewBank(customers, first)
	b.Run(rounds)

	want := first + rounds*perRound
	for _, a := range b.Accounts() {
		if a.Amount() != want {
			t.Errorf("%v, want %d", a, want)
		}
	}
	if got := b.Total(); got != customers*want {
		t.Errorf("the bank holds %d, want %d", got, customers*want)
	}
}

func TestTransfer(t *testing.T) {
	firm, anna := NewBusiness("firm", 7, 100), NewPersonal("Anna", 10)
	firm.Transfer(anna, 30)
	anna.Transfer(firm, 5)
	if got := firm.String(); got != "firm (no. 7): 75" {
		t.Errorf("after transfers of 30 and back of 5: %s", got)
	}
	if got := anna.String(); got != "Anna: 35" {
		t.Errorf("after transfers of 30 and back of 5: %s", got)
	}
}
