package guards_test

import (
	"slices"
	"testing"

	"mendel/mutate/fact/guards"
	"mendel/mutate/internal/mutatetest"
)

const settling = `package settling

import "sync"

type pool struct {
	mu       sync.Mutex
	made     chan int // by a literal
	first    chan int // while nobody else knows the pool
	opted    chan int // by an option, then
	late     chan int // by one that is applied to any pool
	replaced chan int
	taken    chan int // its address is
	list     []int    // may be changed in place
	inner    struct{ whole chan int }
	opts     opts // a struct that is made by a literal
	parted   opts // of which a part is assigned to
	called   opts // of which a method is called that may change it
}

type opts struct {
	n int
	f func()
}

func (o *opts) defaults() { o.f = nil }

type option func(*pool)

func withOpted(c chan int) option { return func(p *pool) { p.opted = c } }

type change func(*pool)

func withLate(c chan int) change { return func(p *pool) { p.late = c } }

func (p *pool) apply(c change) { c(p) }

func open(options ...option) *pool {
	p := &pool{made: make(chan int), list: []int{1}, opts: opts{n: 1}}
	p.first = make(chan int)
	for _, o := range options {
		o(p)
	}
	go p.run()
	go p.change()
	return p
}

func (p *pool) run() {
	p.mu.Lock()
	<-p.made
	<-p.first
	<-p.opted
	<-p.late
	<-p.replaced
	<-p.taken
	<-p.inner.whole
	println(p.list[0], p.opts.n, p.parted.n, p.called.n)
	p.mu.Unlock()
}

func (p *pool) change() {
	p.mu.Lock()
	p.parted.f = nil
	p.called.defaults()
	p.replaced = nil
	at := &p.taken
	*at = nil
	p.inner = struct{ whole chan int }{}
	p.list[0] = 2
	println(p.made, p.first, p.inner.whole)
	p.mu.Unlock()
}
`

// What never changes after it was made is guarded by no lock.
func TestGuardedImmutable(t *testing.T) {
	fn := mutatetest.Functions(t, map[string]string{"in.go": settling})["(*pool).run"]
	var got []string
	for _, a := range guards.Of(fn, fn.Sections()[0], fn.Sections()[0].Body...) {
		if name := a.Var.Name(); !slices.Contains(got, name) {
			got = append(got, name)
		}
	}
	slices.Sort(got)
	if want := []string{"called", "inner", "late", "list", "parted", "replaced", "taken", "whole"}; !slices.Equal(got, want) {
		t.Errorf("guarded are %v, want %v", got, want)
	}
}
