package mutate_test

import (
	"context"
	"strings"
	"testing"

	"mendel/mutate"
	"mendel/mutate/addlock"
)

// The variables of a block that goroutines write get one new mutex, so that edits for several of them
// go together.
func TestLocalsShareANewLock(t *testing.T) {
	space := spaceOf(t, map[string]string{"walk.go": `package p

import "sync"

func walk(sizes []int) (int, error) {
	var (
		wg    sync.WaitGroup
		total int
		first error
	)
	for _, n := range sizes {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if n < 0 {
				first = err
				return
			}
			total += n
		}()
	}
	wg.Wait()
	return total, first
}

var err error
`}, addlock.Operator)
	var edits []mutate.Edit
	for _, e := range space.Edits() {
		if e.Form == "statement" && (e.Line == 16 || e.Line == 19) {
			edits = append(edits, e)
		}
	}
	if len(edits) != 2 {
		t.Fatalf("%d edits of single statements, want 2", len(edits))
	}
	m, err := space.Mutant(context.Background(), edits)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range m.Files {
		if !strings.Contains(string(text), "var mu sync.Mutex // guards first, n and total\n") || strings.Count(string(text), "sync.Mutex") != 1 {
			t.Errorf("not one mutex for both:\n%s", text)
		}
	}
}
