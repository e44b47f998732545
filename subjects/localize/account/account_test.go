package account

import "testing"

func TestServe(t *testing.T) {
	m := NewManager("a", "b", "c")
	m.Serve()
	if got := m.Total(); got != 900 {
		t.Errorf("the bank holds %v, want 900", got)
	}
	for _, a := range m.accounts {
		if a.Amount() != 300 {
			t.Errorf("%s has %v, want 300", a.name, a.Amount())
		}
	}
	if m.Served() != 3 {
		t.Errorf("%d customers were served, want 3", m.Served())
	}
}
