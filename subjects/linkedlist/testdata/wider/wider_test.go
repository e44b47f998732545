package linkedlist

import (
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Elements are put behind one in the middle and taken out again, while others go
// through the list. It fails if the link is set in a section of its own, or under
// another lock than Remove, Find, Len and Advance take.
func TestWiderInsert(t *testing.T) {
	const writers, each = 3, 40
	var l List
	l.Insert(-2, l.Zeroth())
	l.Insert(-1, l.Zeroth())
	l.Insert(99, nil)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				x := w*each + i
				l.Insert(x, l.Find(-1))
				runtime.Gosched() // what Insert did last may come apart from the rest
				if i%2 == 1 && !l.Remove(x) {
					t.Errorf("%d is not there", x)
				}
			}
		})
	}
	wg.Go(func() {
		for range each {
			if s := l.String(); !strings.HasPrefix(s, "[-1") || !strings.HasSuffix(s, "-2]") {
				t.Errorf("the list is %s", s)
			}
			if n := l.Len(); n < 2 || n > writers*each {
				t.Errorf("%d elements", n)
			}
		}
	})
	wg.Wait()
	if got, want := l.Len(), 2+writers*each/2; got != want {
		t.Errorf("%d elements, want %d", got, want)
	}
	for x := range writers * each {
		if l.Find(x).Valid() != (x%each%2 == 0) {
			t.Errorf("%d is in the list: %t", x, l.Find(x).Valid())
		}
	}
}
