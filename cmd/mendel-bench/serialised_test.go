package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestSerialisedGoroutines(t *testing.T) {
	const src = `package p

func (b *B) Run() {
	go b.deferred()
	go func() {
		defer wg.Done()
		b.inner()
	}()
	go func() {
		b.mu.RLock()
		work()
		b.mu.RUnlock()
		wg.Done()
	}()
	go b.part()
	go func() {
		defer wg.Done()
		for range 3 {
			b.deferred()
		}
	}()
	go func() {
		b.mu.Lock()
		b.other.Unlock()
	}()
	go unknown()
	go recursive()
}

func (b *B) deferred() {
	b.mu.Lock()
	defer b.mu.Unlock()
	work()
}

func (b *B) inner() { b.mu.Lock(); work(); b.mu.Unlock() }

func (b *B) part() {
	b.mu.Lock()
	work()
	b.mu.Unlock()
	work()
}

func recursive() { recursive() }
`
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := serialisedGoroutines(dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"p.go:4", "p.go:5", "p.go:9"}; !slices.Equal(got, want) {
		t.Errorf("serialised goroutines at %v, want %v", got, want)
	}
}
