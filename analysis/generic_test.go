package analysis

import (
	"go/ast"
	"testing"
)

// What a generic function calls is known although nothing instantiates it.
func TestAcquiresOfGeneric(t *testing.T) {
	p := loadText(t, `
-- go.mod --
module example.com/gen

go 1.24
-- gen.go --
package gen

import "sync"

type Cache[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
}

func (c *Cache[K, V]) lock() { c.mu.Lock() }

func (c *Cache[K, V]) get(k K) V {
	c.lock()
	defer c.mu.Unlock()
	return c.values[k]
}

func all[K comparable, V any](c *Cache[K, V], k K) {
	c.get(k)
	func() { c.get(k) }()
	go c.get(k)
}
`)
	f := p.File("gen.go")
	var got []int
	ast.Inspect(enclosing(f, "all"), func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			got = append(got, len(p.Acquires(f, call)))
		}
		return true
	})
	// The literal comes before the call in it; what go starts is the goroutine's.
	for i, want := range []int{1, 1, 1, 0} {
		if i >= len(got) || got[i] != want {
			t.Fatalf("the calls acquire %v locks, want 1, 1, 1 and 0", got)
		}
	}
}
