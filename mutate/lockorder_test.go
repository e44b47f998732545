package mutate_test

import (
	"slices"
	"testing"

	"mendel/mutate"
)

// orders is a program in which edits nest b in a, where inner is called, or a
// around the section of b.
const orders = `package p

import "sync"

var (
	a, b, c sync.Mutex
	n       int
)

func inner() { n++ }

func outer() {
	a.Lock()
	inner()
	a.Unlock()
}
`

// A lock in another is flagged where the opposite order is possible, and only there.
func TestLockOrder(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		flagged          bool
	}{
		{"no other order", "b.go", "", false},
		{"the same order", "b.go", "func f() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() }", false},
		{"one after the other", "b.go", "func f() { b.Lock(); b.Unlock(); a.Lock(); a.Unlock() }", false},
		{"the opposite order", "b.go", "func f() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() }", true},
		{"in a test", "b_test.go", "func f() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() }", true},
		{"in a callee", "b.go", "func f() { b.Lock(); defer b.Unlock(); g() }\n\nfunc g() { a.Lock(); a.Unlock() }", true},
		{"in a goroutine of a callee", "b.go", "func f() { b.Lock(); defer b.Unlock(); g() }\n\nfunc g() { go func() { a.Lock(); a.Unlock() }() }", false},
		{"by way of a third", "b.go", "func f() { b.Lock(); c.Lock(); c.Unlock(); b.Unlock() }\n\nfunc g() { c.Lock(); a.Lock(); a.Unlock(); c.Unlock() }", true},
		{"a third that leads nowhere", "b.go", "func f() { b.Lock(); c.Lock(); c.Unlock(); b.Unlock() }", false},
		{"through a function value", "b.go", "func f() { b.Lock(); g := take; g(); b.Unlock() }\n\nfunc take() { a.Lock(); a.Unlock() }", true},
		// Held in places that the walk does not follow.
		{"TryLock", "b.go", "func f() { if b.TryLock() { a.Lock(); a.Unlock(); b.Unlock() } }", true},
		{"left held", "b.go", "func f() { b.Lock() }\n\nfunc g() { f(); a.Lock(); a.Unlock(); b.Unlock() }", true},
		{"returned held", "b.go", "func f() func() { b.Lock(); return b.Unlock }\n\nfunc g() { defer f()(); a.Lock(); a.Unlock() }", true},
		{"held on one way", "b.go", "func f(x bool) { if x { b.Lock() }; a.Lock(); a.Unlock(); if x { b.Unlock() } }", true},
		{"held after a loop", "b.go", "func f() { for { b.Lock(); if n > 0 { break }; b.Unlock() }; a.Lock(); a.Unlock(); b.Unlock() }", true},
		{"held in the next turn", "b.go", "func f() { for i := range 3 { if i > 0 { b.Unlock() }; b.Lock() }; a.Lock(); a.Unlock(); b.Unlock() }", true},
		{"held by goto", "b.go", "func f() { b.Lock(); if n > 0 { goto end }; b.Unlock(); return; end: a.Lock(); a.Unlock(); b.Unlock() }", true},
		// Plain sections, with all that they may hold.
		{"a loop inside", "b.go", "func f() { b.Lock(); for i := range 3 { if i > n { break }; n = i }; b.Unlock(); a.Lock(); a.Unlock() }", false},
		{"early returns", "b.go", "func f() { b.Lock(); if n > 0 { b.Unlock(); return }; b.Unlock(); a.Lock(); a.Unlock() }", false},
		{"deferred", "b.go", "func f() int { b.Lock(); defer b.Unlock(); if n > 0 { return 1 }; return n }", false},
		{"switches", "b.go", "func f() { b.Lock(); switch n { case 1: n = 2; case 2: break; default: n = 1 }; b.Unlock(); a.Lock(); a.Unlock() }", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			space := spaceOf(t, map[string]string{"a.go": orders, tt.file: "package p\n\n" + tt.text + "\n"})
			m := mustBuild(t, space, pick(t, space, "inner body b 0"))
			if got := slices.Equal(m.Flags, []mutate.Flag{mutate.Nested}); got != tt.flagged || !got && len(m.Flags) > 0 {
				t.Errorf("flags %v, want nested-lock: %v", m.Flags, tt.flagged)
			}
		})
	}
}

// All instances of a field are one lock: two of them nested may be nested the
// other way round by somebody else.
func TestLockOrderOfInstances(t *testing.T) {
	space := spaceOf(t, map[string]string{"a.go": `package p

import "sync"

type account struct {
	mu     sync.Mutex
	amount int
}

func (a *account) transfer(to *account, n int) {
	a.mu.Lock()
	a.amount -= n
	to.amount += n
	a.mu.Unlock()
}
`})
	m := mustBuild(t, space, pick(t, space, "(*account).transfer body to.mu 0"))
	if !slices.Equal(m.Flags, []mutate.Flag{mutate.Nested}) {
		t.Errorf("flags %v, want nested-lock", m.Flags)
	}
}

// An acquisition that a mutant inserts may be reached through an interface.
func TestLockOrderThroughInterface(t *testing.T) {
	space := spaceOf(t, map[string]string{"a.go": `package p

import "sync"

var a, b sync.Mutex

type counter struct{ n int }

func (c *counter) inc() { c.n++ }

type incrementer interface{ inc() }

func all(list []incrementer) {
	b.Lock()
	for _, i := range list {
		i.inc()
	}
	b.Unlock()
}

func reset(c *counter) {
	b.Lock()
	c.n = 0
	b.Unlock()
}

func run() { all([]incrementer{&counter{}}) }
`})
	inner := pick(t, space, "(*counter).inc body a 0") // all: a in b, which the graph cannot name
	outer := pick(t, space, "reset body a 0")          // reset: b in a
	for _, tt := range []struct {
		edits []mutate.Edit
		want  []mutate.Flag
	}{
		{[]mutate.Edit{inner}, nil},
		{[]mutate.Edit{outer}, nil},
		{[]mutate.Edit{inner, outer}, []mutate.Flag{mutate.Nested}},
	} {
		if m := mustBuild(t, space, tt.edits...); !slices.Equal(m.Flags, tt.want) {
			t.Errorf("%d edits from %s: flags %v, want %v", len(tt.edits), tt.edits[0].Func, m.Flags, tt.want)
		}
	}
}
