package dispatcher

import (
	"fmt"
	"testing"
)

// fill makes a queue of n messages, all different.
func fill(n int) *Queue {
	q := new(Queue)
	for i := range n {
		q.Add(fmt.Sprintf("receiver %d", i), fmt.Sprintf("message %d", i))
	}
	return q
}

// Each message is sent once, to its receiver.
func TestRun(t *testing.T) {
	const messages, rounds = 3, 1
	d := New(2, rounds)
	q := fill(messages)
	d.Run(q)
	if q.Len() != 0 {
		t.Errorf("%d messages are left", q.Len())
	}
	for i := range messages {
		want := Receipt{To: fmt.Sprintf("receiver %d", i), Seal: Seal(fmt.Sprintf("message %d", i), rounds)}
		if got := d.Receipts(i); len(got) != 1 || got[0] != want {
			t.Errorf("message %d has the receipts %v, want one: %v", i, got, want)
		}
	}
}

func TestNothing(t *testing.T) {
	d := New(1, 0)
	d.Run(new(Queue))
	if got := d.Receipts(0); len(got) != 0 {
		t.Errorf("an empty queue has the receipts %v", got)
	}
}

func TestSeal(t *testing.T) {
	if Seal("a", 1) == Seal("b", 1) || Seal("a", 1) == Seal("a", 2) {
		t.Error("two messages have one seal")
	}
}
