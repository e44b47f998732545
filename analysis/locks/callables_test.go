package locks

import (
	"fmt"
	"strings"
	"testing"

	"mendel/analysis/analysistest"
	"mendel/analysis/locks/naming"
)

// What is a function that wraps itself is followed as far as it is of use, and no further.
func TestWrappedFunctions(t *testing.T) {
	p := analysistest.Source(t, `package p

import "sync"

var mu sync.Mutex

type S struct{ run func() }

func New() *S { return &S{run: take} }

func take()            { mu.Lock(); mu.Unlock() }
func (s *S) wrap()     { s.run = twice(s.run) }
func (s *S) stored()   { mu.Lock(); defer mu.Unlock(); s.run() }
func (s *S) returned() { mu.Lock(); defer mu.Unlock(); deep(9)() }

func twice(f func()) func() { return func() { f(); f() } }

func deep(n int) func() {
	if n == 0 {
		return take
	}
	return twice(deep(n - 1))
}
`)
	m := New(p)
	for _, name := range []string{"stored", "returned"} {
		if got := m.Relocks(m.Named("(*example.com/p.S)." + name)); len(got) != 1 {
			t.Errorf("%s: got %d relocks, want one: the function that it calls may take mu", name, len(got))
		}
	}
}

// A method of an interface that is named and called later is any that it may be.
func TestMethodValueOfInterface(t *testing.T) {
	m := New(analysistest.Source(t, `package p

import "sync"

type closer interface {
	close()
	open()
}

type S struct{ mu sync.Mutex }
type T struct{ mu sync.Mutex }
type U struct{ mu *sync.Mutex }

func (s *S) close() { s.mu.Lock(); s.mu.Unlock() }
func (s *S) open()  {}
func (t *T) close() {}
func (t *T) open()  {}
func (u U) close()  { u.mu.Lock(); u.mu.Unlock() }
func (u *U) open()  {} // so only *U is a closer

func later(c closer) func() { return c.close }

func (s *S) stop() { s.mu.Lock(); defer s.mu.Unlock(); f := later(s); f() }
func (t *T) stop() { t.mu.Lock(); defer t.mu.Unlock(); f := later(t); f() }
func (u *U) stop() { u.mu.Lock(); defer u.mu.Unlock(); f := later(u); f() }
`))
	for name, want := range map[string]int{"S": 1, "T": 0, "U": 1} {
		if got := m.Relocks(m.Named("(*example.com/p." + name + ").stop")); len(got) != want {
			t.Errorf("%s: got %d relocks, want %d", name, len(got), want)
		}
	}
}

// Structures of options that copy each other's functions: the ways from one field to the
// next are without number, but there are only so many fields.
func TestCopiedFunctions(t *testing.T) {
	const fields, copies = 200, 12
	var b strings.Builder
	b.WriteString("package p\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nfunc take() { mu.Lock(); mu.Unlock() }\n\ntype options struct {\n")
	for i := range fields {
		fmt.Fprintf(&b, "\tf%d func()\n", i)
	}
	b.WriteString("}\n\nfunc first() *options { return &options{f0: take} }\n")
	for c := 1; c <= copies; c++ {
		fmt.Fprintf(&b, "\nfunc copy%d(from *options) *options {\n\treturn &options{\n", c)
		for i := range fields {
			fmt.Fprintf(&b, "\t\tf%d: from.f%d,\n", i, (i+fields-c)%fields)
		}
		b.WriteString("\t}\n}\n")
	}
	// What f0 holds comes to f20 over two copies, and to f100 over more than are followed.
	b.WriteString("\nfunc (o *options) near() { mu.Lock(); defer mu.Unlock(); o.f20() }\n")
	b.WriteString("\nfunc (o *options) far() { mu.Lock(); defer mu.Unlock(); o.f100() }\n")
	m := New(analysistest.Source(t, b.String()))
	for name, want := range map[string]int{"near": 1, "far": 0} {
		if got := m.Relocks(m.Named("(*example.com/p.options)." + name)); len(got) != want {
			t.Errorf("%s: got %d relocks, want %d", name, len(got), want)
		}
	}
	if n := len(m.view.following.known); n == 0 || n > 2*fields*naming.MaxAliases {
		t.Errorf("what fields hold was asked %d times", n)
	}
}

// What a function returns may be what others return, and so on. A call in a return is
// followed once for what its function is given.
func TestReturnedCallbacks(t *testing.T) {
	var b strings.Builder
	b.WriteString("package p\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nfunc take() { mu.Lock(); mu.Unlock() }\n\nfunc Run() { mu.Lock(); defer mu.Unlock(); f0(0)() }\n")
	const functions = 40
	for i := range functions {
		fmt.Fprintf(&b, "\nfunc f%d(n int) func() {\n\tswitch n {\n", i)
		for j := range functions {
			fmt.Fprintf(&b, "\tcase %d:\n\t\treturn f%d(n)\n", j, j)
		}
		b.WriteString("\t}\n\treturn take\n}\n")
	}
	m := New(analysistest.Source(t, b.String()))
	if got := m.Relocks(m.Named("example.com/p.Run")); len(got) == 0 {
		t.Error("got no relock: what f0 returns may take mu")
	}
	if got, most := len(m.view.following.known), (functions*functions+1)*naming.MaxAliases; got > most {
		t.Errorf("calls were followed %d times, want at most %d", got, most)
	}
}

// A field that is wrapped at many places may hold what is wrapped at each of them, and
// what wraps that: it is followed once for a depth, and what is known of it stays small.
func TestWrappedCallbacks(t *testing.T) {
	var b strings.Builder
	b.WriteString("package p\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nfunc take() { mu.Lock(); mu.Unlock() }\n\ntype S struct{ run func() }\n\nfunc New() *S { return &S{run: take} }\n\nfunc wrap(f func()) func() { return func() { mu.Lock(); mu.Unlock(); f() } }\n\nfunc (s *S) Run() { mu.Lock(); defer mu.Unlock(); s.run() }\n")
	for i := range 40 {
		fmt.Fprintf(&b, "\nfunc (s *S) With%d(o *S) { s.run = wrap(o.run) }\n", i)
	}
	m := New(analysistest.Source(t, b.String()))
	if got := m.Relocks(m.Named("(*example.com/p.S).Run")); len(got) != 1 {
		t.Errorf("got %d relocks, want one: what run holds takes mu", len(got))
	}
}
