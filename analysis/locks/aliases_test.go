package locks

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"mendel/analysis/analysistest"
)

func TestAliases(t *testing.T) {
	type aliases = map[string]string
	tests := []struct {
		body string
		want aliases
	}{
		{"l := p.list; use(l)", aliases{"l": "p.list"}},
		{"var l = p.list; use(l)", aliases{"l": "p.list"}},
		{"mu := &p.mu; use(mu)", aliases{"mu": "p.mu"}},
		{"l := p.list; l = q; use(l)", aliases{}},
		{"l := p.list; p.list = nil; use(l)", aliases{}},
		{"l := p.list; p = q; use(l)", aliases{}},
		{"l := p.list; if true { l := q; use(l) }; use(l)", aliases{}},
		{"l := p.list; for l = range c { }; use(l)", aliases{}},
		{"l := p.list; use(&l)", aliases{}},
		{"l := p.list; if p := q; true { use(p) }; use(l)", aliases{}},
		{"l := p.list; switch p := v.(type) { case int: use(p) }; use(l)", aliases{}},
		{"l := p.get(); use(l)", aliases{}},
		{"l, m := p.list, p.more; use(l, m)", aliases{"l": "p.list", "m": "p.more"}},
		{"l, err := p.open(); use(l, err)", aliases{}},
		{"l := p.list; n := l.next; use(n)", aliases{"l": "p.list", "n": "l.next"}},
		{"a := p.part; use(a)", aliases{}}, // a copy
	}
	var source strings.Builder
	source.WriteString(`package p

import "sync"

type T struct {
	list, more, next *T
	mu               sync.Mutex
	part             struct{ n int }
}

func (p *T) get() *T { use(p); return p }
func (p *T) open() (*T, error) { return p, nil }
func use(...any) {}

var q *T
var c map[*T]int
var v any
`)
	for i, tt := range tests {
		fmt.Fprintf(&source, "func f%d(p *T) {%s}\n", i, tt.body)
	}
	m := New(analysistest.Source(t, source.String()))
	for i, tt := range tests {
		got := m.Aliases(m.Named(fmt.Sprintf("example.com/p.f%d", i)))
		if len(got)+len(tt.want) > 0 && !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.body, got, tt.want)
		}
	}
}
