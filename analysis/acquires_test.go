package analysis

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const acquiring = `
-- go.mod --
module example.com/acq

go 1.24
-- acq.go --
package acq

import "sync"

type A struct {
	mu sync.Mutex
	n  int
}

type B struct {
	mu      sync.RWMutex
	pending struct {
		sync.Mutex
		heartbeats int
	}
	size int
}

type Worker interface{ Work() }

func (a *A) Work() {
	a.mu.Lock()
	a.n++
	a.mu.Unlock()
}

func (b *B) Work() {
	b.mu.RLock()
	defer b.mu.RUnlock()
	b.pending.Lock()
	b.pending.Unlock()
}

func (b *B) outer(a *A) {
	b.size++
	a.Work()
	go b.Work()
	b.outer(a)
}

func all(a *A, b *B, w Worker, f func()) {
	a.Work()
	b.outer(a)
	w.Work()
	f()
	println()
	a.mu.Lock()
	defer func() { a.mu.Unlock() }()
	func() { b.mu.Lock() }()
}

func main() {
	b := &B{}
	all(&A{}, b, b, func() { (&A{}).Work() })
	b.mu.Lock()
	if b.size > 0 {
		b.mu.Unlock()
		return
	}
	b.size = 1
	b.mu.Unlock()
	println(b.pending.heartbeats)
}
`

func TestAcquires(t *testing.T) {
	p := loadText(t, acquiring)
	f := p.File("acq.go")
	const a, b, pending = "A.mu", "B.mu", "B.pending"
	want := []string{
		"a.Work: " + a,
		"b.outer: " + a,
		"w.Work: " + b + " " + pending,
		"f: " + a,
		"println: ",
		"a.mu.Lock: ",
		"(func() literal): ",
		"a.mu.Unlock: ",
		"(func() literal): " + b,
		"b.mu.Lock: ",
	}
	var got []string
	ast.Inspect(enclosing(f, "all"), func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			var keys []string
			for _, k := range p.Acquires(f, call) {
				keys = append(keys, strings.TrimPrefix(k, "example.com/acq."))
			}
			got = append(got, types.ExprString(call.Fun)+": "+strings.Join(keys, " "))
		}
		return true
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calls and what they acquire (-want +got):\n%s", diff)
	}
}

func enclosing(f *File, name string) *ast.FuncDecl {
	for _, d := range f.AST.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == name {
			return fn
		}
	}
	return nil
}
