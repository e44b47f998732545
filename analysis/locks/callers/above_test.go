package callers

import (
	"testing"

	"mendel/analysis/analysistest"
	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
)

// Functions that call themselves with the fields of what they are given ask their
// callers about no path that is longer than those of the locks which these hold.
func TestCallersOfTrees(t *testing.T) {
	const source = `package p

import "sync"

type node struct {
	mu                        sync.Mutex
	left, middle, right, next *node
	size                      int
}

func (n *node) count() int {
	if n == nil {
		return 0
	}
	n.size = n.left.count() + n.middle.count() + n.right.count() + n.next.count()
	return n.size
}

func (n *node) half() int { return n.left.count() }

func (n *node) locked() int {
	n.left.middle.mu.Lock()
	defer n.left.middle.mu.Unlock()
	return n.half()
}

func alone(n *node) int { return n.count() }

func beside(n *node) int {
	n.size++
	return n.size
}
`
	p := analysistest.Source(t, source)
	for name, want := range map[string]Conflict{
		"(*example.com/p.node).count": HeldByCaller,
		"(*example.com/p.node).half":  HeldByCaller, // a lock with the key, of another value
		"example.com/p.alone":         NoConflict,
		"example.com/p.beside":        NoConflict,
	} {
		m := locks.New(p)
		fn := m.Named(name)
		of := fn.Recv
		if of == nil {
			of = fn.Params[0]
		}
		l := naming.Lock{Path: naming.Path{Root: of, Text: ".mu"}, Key: "example.com/p.node.mu", Expr: "n.mu"}
		if got := ConflictOf(m, fn, l, true, fn.Body.List, fn.Body.List); got != want {
			t.Errorf("%s: got conflict %d, want %d", name, got, want)
		}
		v := m.Lock()
		n := len(tables.Of(v).above)
		m.Unlock()
		if n > 60 {
			t.Errorf("%s: callers were asked %d questions", name, n)
		}
	}
}
