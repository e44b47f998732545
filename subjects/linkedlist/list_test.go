package linkedlist

import (
	"sync"
	"testing"
)

func TestConcurrentInsert(t *testing.T) {
	const writers, each = 3, 6
	var l List
	var wg sync.WaitGroup
	for w := range writers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range each {
				l.Insert(w*each+i, l.Zeroth())
			}
		}()
	}
	wg.Wait()

	if l.Len() != writers*each {
		t.Errorf("%d elements, want %d", l.Len(), writers*each)
	}
	for x := range writers * each {
		if !l.Find(x).Valid() {
			t.Errorf("%d was inserted and is not in the list", x)
		}
	}
}

func TestList(t *testing.T) {
	var l List
	l.Insert(3, l.Zeroth())
	l.Insert(1, l.Zeroth())
	l.Insert(2, l.Find(1))
	l.Insert(9, l.Find(7))
	if got := l.String(); got != "[1 2 3]" {
		t.Errorf("after inserting 3, 1 and 2: %s", got)
	}
	if !l.Remove(2) || l.Remove(2) {
		t.Error("2 can be removed once")
	}
	if got := l.String(); got != "[1 3]" {
		t.Errorf("after removing 2: %s", got)
	}
}
