package stringbuffer

import (
	"slices"
	"sync"
	"testing"
)

// One goroutine collects the text of a buffer while others shorten and
// lengthen it.
func TestAppendBuffer(t *testing.T) {
	source, target := New("hello"), New("")
	var wg sync.WaitGroup
	wg.Add(3)
	go func() {
		defer wg.Done()
		target.AppendBuffer(source)
	}()
	go func() {
		defer wg.Done()
		source.Delete(2, 5)
	}()
	go func() {
		defer wg.Done()
		source.Append(" you")
	}()
	wg.Wait()

	if got := source.String(); got != "he you" {
		t.Errorf("the source is %q, want %q", got, "he you")
	}
	if got := target.String(); !slices.Contains([]string{"hello", "hello you", "he", "he you"}, got) {
		t.Errorf("the target got %q, which the source never held", got)
	}
}

func TestBuffer(t *testing.T) {
	b := New("one")
	b.Append(" three")
	b.Insert(3, " two")
	b.AppendBuffer(New(" and so on"))
	if got, want := b.String(), "one two three and so on"; got != want || b.Len() != len(want) || b.Cap() < len(want) {
		t.Errorf("after appending and inserting: %q, length %d, capacity %d", got, b.Len(), b.Cap())
	}
	b.Delete(3, b.Len())
	b.Reverse()
	if got := b.String(); got != "eno" || b.At(0) != 'e' {
		t.Errorf("after deleting and reversing: %q", got)
	}
	b.AppendBuffer(b)
	if got := b.String(); got != "enoeno" {
		t.Errorf("appended to itself: %q", got)
	}
}
