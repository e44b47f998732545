package analysis

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"
)

// The comment behind each type says whether a mutex may be added to it.
const copyingProgram = `
-- go.mod --
module example.com/copying

go 1.24
-- copying.go --
package copying

type pointer struct{ n int } // free
type literal struct{ n int } // free
type element struct{ n int } // free
type local struct{ n int }   // free
type param struct{ n int }   // copied
type result struct{ n int }  // copied
type made struct{ n int }    // free
type given struct{ n int }   // copied
type promised struct{ n int } // copied
type recv struct{ n int }    // copied
type assigned struct{ n int } // copied
type ranged struct{ n int }  // copied
type key struct{ n int }     // copied
type value struct{ n int }   // copied
type compared struct{ n int } // copied
type unkeyed struct{ n int } // unkeyed
type boxed struct{ n int }   // copied
type sent struct{ n int }    // copied
type inner struct{ n int }   // copied
type outer struct{ in inner } // copied
type from struct{ n int }    // copied
type to struct{ n int }      // copied
type cloned struct{ n int }  // copied
type generic[T any] struct{ item T } // copied

func newMade(n int) (made, error) { return made{n: n}, nil }

func again() made {
	m, _ := newMade(1)
	m.n++
	f := func() made { return made{} }
	return f()
}

func give() given {
	var g given
	return g
}

type promises interface{ promise() promised }

func (r recv) get() int { return r.n }

func use(p *pointer, q param) (r result) {
	l := &literal{n: 1}
	list := []element{{n: 1}, {n: 2}}
	for i := range list {
		list[i].n++
	}
	var own local
	own.n++
	(&own).n = l.n
	return
}

func copies(a *assigned, rs []ranged, m map[key]*int, v map[string]value, c, d *compared, s *outer, f *from, cl []cloned, g *generic[int]) any {
	b := *a
	b.n++
	for _, r := range rs {
		_ = r.n
	}
	x := v["a"]
	x.n++
	if *c == *d {
		return *s
	}
	_ = unkeyed{1}
	var box boxed
	var i any = box
	ch := make(chan sent, 1)
	var message sent
	ch <- message
	_ = (*to)(f)
	_ = append([]cloned{}, cl...)
	h := *g
	h.item++
	return i
}
`

func TestCopies(t *testing.T) {
	p := loadText(t, copyingProgram)
	f := p.File("copying.go")
	found := p.copies()
	want := map[string]copying{"free": 0, "unkeyed": unkeyed, "copied": copied}
	checked := 0
	for _, line := range strings.Split(string(f.Source), "\n") {
		decl, comment, ok := strings.Cut(line, " // ")
		if !ok || !strings.HasPrefix(decl, "type ") {
			continue
		}
		name, _, _ := strings.Cut(strings.Fields(decl)[1], "[")
		obj := f.Package.Types.Scope().Lookup(name).(*types.TypeName)
		if how, ok := want[comment]; !ok || found[obj] != how {
			t.Errorf("%s: found %v, want %s", name, found[obj], comment)
		}
		checked++
	}
	if checked != 24 {
		t.Errorf("%d types checked", checked)
	}
}

// New locks get names that nobody uses.
func TestNewLockNames(t *testing.T) {
	p := loadText(t, `
-- go.mod --
module example.com/names

go 1.24
-- names.go --
package names

import mu2 "sync"

type Method struct{ n int }

func (m *Method) mu() {}

type Embedded struct{ n int }

type Outer struct {
	Embedded
	mu string
}

type Counts struct{ hits, misses int }

type Own struct{ n int }

func (o *Own) add() { o.n++ }

type Cache struct {
	Counts
	counts Counts
	own    Own
	rest   struct{ n int }
	far    *Counts
}

func (c *Cache) get() {
	c.counts.hits++
	c.misses++
	c.own.n++
	c.rest.n++
	c.far.hits++
}

var total, totalMu int

func mu() { var _ mu2.Once }

func (m *Method) f(e *Outer) {
	m.n++
	e.n++
	total++
	local := 0
	go func() {
		mu2 := 1
		local += mu2
	}()
}
`)
	f := p.File("names.go")
	fn := enclosing(f, "f")
	literal := p.index().byNode[fn].inside[0].node
	offered := func(at ast.Node, uses ...ast.Node) string {
		var accesses []Access
		for _, node := range uses {
			accesses = append(accesses, p.accesses(f.Package.Info, node)...)
		}
		var exprs []string
		for _, l := range p.NewLocks(f, at, accesses) {
			exprs = append(exprs, l.Expr)
		}
		return strings.Join(exprs, " ")
	}
	if got, want := offered(fn.Body, fn), "m.methodMu e.embeddedMu e.outerMu totalMu2 methodMu embeddedMu"; got != want {
		t.Errorf("in the method %s is offered, want %s", got, want)
	}
	get := enclosing(f, "get")
	for i, want := range []string{
		"c.mu c.counts.mu countsMu cacheMu",
		"c.mu c.mu countsMu",
		"c.own.mu c.mu ownMu cacheMu",
		"c.mu cacheMu",
		"c.far.mu c.mu countsMu cacheMu",
	} {
		if got := offered(get.Body, get.Body.List[i]); got != want {
			t.Errorf("statement %d of get is offered %s, want %s", i, got, want)
		}
	}
	if got, want := offered(literal, literal), "localMu"; got != want {
		t.Errorf("in the literal %s is offered, want %s", got, want)
	}
}
