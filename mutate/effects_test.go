package mutate_test

import (
	"strings"
	"testing"
)

const relockingCalls = `package relockingcalls

import "sync"

type holder interface{ hold() }

type box struct {
	mu   sync.RWMutex
	n    int
	next *box
}

func (b *box) take()                  { b.mu.Lock(); defer b.mu.Unlock(); b.n++ }
func (b *box) read() int              { b.mu.RLock(); defer b.mu.RUnlock(); return b.n }
func (b *box) hold()                  { b.take() }
func (b *box) aside()                 { b.mu.Unlock(); b.n++; b.mu.Lock() } // b.mu is held
func (b *box) drop()                  { b.mu.Unlock() }                     // b.mu is held
func (b *box) each(f func(int))       { f(b.n) }
func (b *box) release() func()        { return b.drop }
func (b *box) all(yield func(int) bool) { b.mu.RLock(); defer b.mu.RUnlock(); yield(b.n) }
func later(h holder) func()           { return h.hold }

func run(b, other *box) {
	same, again := b, func() { b.take() }
	b.mu.Lock()
	b.take()                        // relocks
	b.read()                        // relocks
	same.take()                     // relocks
	again()                         // relocks
	later(b)()                      // relocks
	b.drop()                        // relocks
	b.each(func(int) { b.take() })  // relocks
	for range b.all {               // relocks
	}
	other.take()
	b.next.take()
	b.aside()
	b.each(func(int) { other.take() })
	for range other.all {
	}
	b.mu.Unlock()
}

func use(b *box) { go run(b, b.next) }
`

// Statements relock where they come to take the very lock, by whatever way; another
// value's, and one that is released meanwhile, is nested at most.
func TestEffectsRelocks(t *testing.T) {
	fn := functionsOf(t, map[string]string{"in.go": relockingCalls})["run"]
	s := fn.Sections()[0]
	if len(s.Body) != 13 {
		t.Fatalf("the section has %d statements, want 13", len(s.Body))
	}
	lines := strings.Split(relockingCalls, "\n")
	for _, stmt := range s.Body {
		line := lines[fn.Program.Fset.Position(stmt.Pos()).Line-1]
		if got, want := fn.Effects(s, stmt).Relocks, strings.Contains(line, "// relocks"); got != want {
			t.Errorf("relocks: got %t, want %t:%s", got, want, line)
		}
	}
}
