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
		do, undo func(*Buffer)
		want     []string
	}{
		{func(b *Buffer) { b.Delete(1, 5) }, func(b *Buffer) { b.Append("ello") }, []string{"hello", "h"}},
		{func(b *Buffer) { b.Delete(0, 5) }, func(b *Buffer) { b.Append("hello") }, []string{"hello", ""}},
		{func(b *Buffer) { b.Insert(0, "oh ") }, func(b *Buffer) { b.Delete(0, 3) }, []string{"hello", "oh hello"}},
		{func(b *Buffer) { b.Append(" you") }, func(b *Buffer) { b.Delete(5, 9) }, []string{"hello", "hello you"}},
		{(*Buffer).Reverse, (*Buffer).Reverse, []string{"hello", "olleh"}},
	} {
		source := New("hello")
		stop := make(chan struct{})
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				target := New("")
				for range 5000 {
					target.Delete(0, target.Len())
					target.AppendBuffer(source)
					if got := target.String(); !slices.Contains(change.want, got) {
						t.Errorf("the target got %q, want one of %q", got, change.want)
						return
					}
				}
			})
		}
		var changing sync.WaitGroup
		changing.Go(func() {
			for {
				change.do(source)
				change.undo(source)
				select {
				case <-stop:
					return
				default:
				}
			}
		})
		wg.Wait()
		close(stop)
		changing.Wait()
	}
}
