package deadlock

import (
	"strings"
	"sync"
	"testing"
)

// Files are copied around a ring and both ways, while others read and append. It
// fails if both locks are still held at once for some pairs of files, or if the
// lock of the destination is gone.
func TestWiderRing(t *testing.T) {
	const rounds = 100
	texts := []string{strings.Repeat("a", 50), strings.Repeat("b", 80), strings.Repeat("c", 110)}
	var files []*File
	for _, text := range texts {
		files = append(files, NewFile(text[:1], text))
	}
	var wg sync.WaitGroup
	for i, f := range files {
		next := files[(i+1)%len(files)]
		wg.Go(func() { mirror(next, f, rounds) })
		wg.Go(func() { mirror(f, next, rounds) })
		wg.Go(func() {
			for range rounds {
				f.Append("")
				if c := f.Contents(); strings.Trim(c, c[:1]) != "" {
					t.Errorf("file %s holds %q", f.Name(), c)
				}
				_ = f.Writes()
			}
		})
	}
	wg.Wait()
	for _, f := range files {
		if f.Writes() != 3*rounds {
			t.Errorf("file %s was written %d times, want %d", f.Name(), f.Writes(), 3*rounds)
		}
	}
}

// A file copied to itself stays as it is. It fails if one more lock is put around
// the two, which are the same here.
func TestWiderToItself(t *testing.T) {
	f := NewFile("a", "one")
	Copy(f, f)
	if f.Contents() != "one" || f.Writes() != 1 {
		t.Errorf("a copy to itself: %q, written %d times", f.Contents(), f.Writes())
	}
}
