package stringbuffer

import (
	"slices"
	"sync"
	"testing"
)

// Buffers are appended to each other both ways, and to themselves. It fails if two
// buffers are locked at once, or if a lock is taken again that is held.
func TestWiderBothWays(t *testing.T) {
	for range 30 {
		a, b := New("a"), New("b")
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { a.AppendBuffer(b) })
			wg.Go(func() { b.AppendBuffer(a) })
			wg.Go(func() {
				if a.Len() > a.Cap() || a.At(0) != 'a' {
					t.Errorf("%d bytes, room for %d, the first is %q", a.Len(), a.Cap(), a.At(0))
				}
			})
		}
		wg.Go(func() { a.AppendBuffer(a) })
		wg.Wait()
	}
}

// The other buffer is changed in all ways while it is appended. It fails if the
// length and the characters are taken together only against Delete: a text that is
// longer meanwhile is cut off where the old one ended.
func TestWiderChanges(t *testing.T) {
	for _, change := range []struct {
		do   func(*Buffer)
		want []string
	}{
		{func(b *Buffer) { b.Delete(1, 5) }, []string{"hello", "h"}},
		{func(b *Buffer) { b.Delete(0, 5) }, []string{"hello", ""}},
		{func(b *Buffer) { b.Insert(0, "oh ") }, []string{"hello", "oh hello"}},
		{func(b *Buffer) { b.Reverse() }, []string{"hello", "olleh"}},
		{func(b *Buffer) { b.Append(" you") }, []string{"hello", "hello you"}},
	} {
		for range 200 {
			source, target := New("hello"), New("")
			var wg sync.WaitGroup
			wg.Go(func() { target.AppendBuffer(source) })
			wg.Go(func() { change.do(source) })
			wg.Wait()
			if got := target.String(); !slices.Contains(change.want, got) {
				t.Fatalf("the target got %q, want one of %q", got, change.want)
			}
		}
	}
}
