package locks

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/locks/naming"
)

// A function sees a lock if it, or what it gives its name for the lock, uses it;
// other locks of the same key do not count, and cycles of calls end.
func TestSight(t *testing.T) {
	const source = `package p

import "sync"

type box struct {
	mu   sync.Mutex
	next *box
	done func()
}

func (b *box) takes()            { b.mu.Lock(); defer b.mu.Unlock() }
func (b *box) takesBelow(n int)  { if n > 0 { b.takesAgain(n - 1) } }
func (b *box) takesAgain(n int)  { b.takesBelow(n); b.takes() }
func (b *box) takesOther(o *box) { o.takes() }
func (b *box) loops(n int)       { if n > 0 { b.loopsAgain(n - 1) } }
func (b *box) loopsAgain(n int)  { b.loops(n); new(box).takes() }
func (b *box) starts()           { go b.takes() }
func (b *box) returns() func()   { return func() { b.mu.Unlock() } }
func (b *box) names() func()     { return b.takes }
`
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := analysistest.Load(context.Background(), nil, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	m := New(p)
	for name, want := range map[string]bool{
		"takes": true, "takesBelow": true, "takesAgain": true, "takesOther": false,
		"loops": false, "loopsAgain": false, "starts": false, "returns": true, "names": true,
	} {
		fn := m.Named("(*example.com/p.box)." + name)
		if fn == nil {
			t.Fatalf("there is no function %s", name)
		}
		got := m.Lock().frame(fn, naming.Lock{Key: "example.com/p.box.mu", Path: naming.Path{Root: fn.Recv, Text: ".mu"}}).sees()
		m.Unlock()
		if got != want {
			t.Errorf("%s sees the lock: got %t, want %t", name, got, want)
		}
	}
}
