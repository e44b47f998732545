package verify

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestNewlySerialised(t *testing.T) {
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
	write := func(src string) string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	patched := write(src)
	for _, c := range []struct {
		name, source string
		want         []string
	}{
		{"without goroutines before", "package p\n", []string{"p.go:4", "p.go:5", "p.go:9"}},
		{"inner was one section before, too", strings.Replace(src, "b.mu.RLock()\n", "", 1), []string{"p.go:9"}},
		{"unchanged", src, nil},
	} {
		got, err := NewlySerialised(write(c.source), patched)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: serialised goroutines at %v, want %v", c.name, got, c.want)
		}
	}
}
