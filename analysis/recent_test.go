package analysis

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"go/token"
	"sync"
	"testing"
)

// What was found for some files is found once, by however many ask at once, also if it is
// an error; what is oldest is forgotten.
func TestRecent(t *testing.T) {
	r := &recent{known: map[[sha256.Size]byte]*rechecked{}}
	var mu sync.Mutex
	found := map[string]int{}
	refused := errors.New("refused")
	ask := func(name string, size int) *Package {
		files := map[string][]byte{"a.go": []byte(name), "b.go": []byte("b")}
		_, pkgs, err := r.of(files, func() (*token.FileSet, []*Package, error) {
			mu.Lock()
			defer mu.Unlock()
			if found[name]++; size == 0 {
				return nil, nil, refused
			}
			return token.NewFileSet(), []*Package{{Path: name, Files: []*File{{Source: bytes.Repeat([]byte("x"), size)}}}}, nil
		})
		if size == 0 {
			if err != refused {
				t.Errorf("error %v", err)
			}
			return nil
		}
		return pkgs[0]
	}
	const third = recentText/3 + 1
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { ask("one", third) })
		wg.Go(func() { ask("wrong", 0) })
	}
	wg.Wait()
	one, two := ask("one", third), ask("two", third)
	if one == two || ask("one", third) != one || found["one"] != 1 || found["two"] != 1 || found["wrong"] != 1 {
		t.Errorf("asked for %v", found)
	}
	ask("three", third)
	if ask("two", third) != two || ask("one", third) == one || found["one"] != 2 {
		t.Errorf("after more than fits: %v", found)
	}
	if ask("huge", 2*recentText); len(r.order) != 1 || r.text != 2*recentText {
		t.Errorf("%d kept, of %d bytes", len(r.order), r.text)
	}
}

// The files are told apart by their names and texts.
func TestRecentKeys(t *testing.T) {
	seen := map[[sha256.Size]byte]bool{}
	sets := []map[string][]byte{nil, {"a": nil}, {"a": []byte("b")}, {"ab": nil}, {"a": nil, "b": nil}, {"a": []byte("b"), "b": []byte("a")}, {"a": []byte("a"), "b": []byte("b")}}
	for _, files := range sets {
		seen[keyOf(files)] = true
	}
	if len(seen) != len(sets) {
		t.Errorf("%d keys of %d sets", len(seen), len(sets))
	}
}
