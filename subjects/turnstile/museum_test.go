package turnstile

import "testing"

func TestDay(t *testing.T) {
	const visitors = 2
	m := NewMuseum(1)
	in := m.Day(visitors, func() {})
	inside, sold, turned := m.Gate.Counts()
	if inside != 0 || sold != in || sold+turned != visitors {
		t.Errorf("%d inside, %d tickets sold and %d visitors turned away; %d of %d got in", inside, sold, turned, in, visitors)
	}
	if m.Room.Most() > 1 {
		t.Errorf("%d visitors at a time, in room for one", m.Room.Most())
	}
}

func TestEnter(t *testing.T) {
	g := New(1)
	if !g.Enter() || g.Enter() {
		t.Error("there is room for one")
	}
	g.Leave()
	if !g.Enter() {
		t.Error("there is room again")
	}
	if inside, sold, turned := g.Counts(); inside != 1 || sold != 2 || turned != 1 {
		t.Errorf("%d inside, %d sold, %d turned away", inside, sold, turned)
	}
}
