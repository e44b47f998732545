package atomic

import (
	"sync"
	"unsafe"

	"mendel/checker/sched"
)

// A cell is what the package keeps about one address in the running execution.
type cell struct {
	object  sched.Object // for the scheduler
	written sched.Object // released by the last write
}

// met holds the cells of the running execution. Keys keep the memory alive, so
// that an address stands for one variable. The lock is held for moments only,
// never at a scheduling point.
var met = struct {
	sync.Mutex
	execution sched.Object // tells when the next execution begins
	cells     map[unsafe.Pointer]*cell
}{cells: map[unsafe.Pointer]*cell{}}

func at(p unsafe.Pointer) *cell {
	met.Lock()
	defer met.Unlock()
	if met.execution.Fresh() {
		clear(met.cells)
	}
	c := met.cells[p]
	if c == nil {
		c = &cell{}
		met.cells[p] = c
	}
	return c
}

// step announces an operation on the variable at p and returns when it is
// chosen; nil outside control.
func step[P any](variable *P, kind sched.Kind, as sched.As, what string) *cell {
	p := unsafe.Pointer(variable)
	op := sched.Op{Kind: kind, Read: kind == sched.KindLoad, What: what}
	if size := unsafe.Sizeof(*variable); size == 4 || size == 8 {
		op.As, op.Word, op.Size = as, p, size
	}
	if !sched.Active() {
		sched.Do(op)
		return nil
	}
	c := at(p)
	op.Obj = &c.object
	sched.Do(op)
	return c
}

// read makes the edge from the last write.
func (c *cell) read() {
	if c != nil {
		sched.Acquire(&c.written)
	}
}

// write makes the operation the last write: what came before earlier ones
// counts only as far as this goroutine has observed it.
func (c *cell) write() {
	if c != nil {
		c.written = sched.Object{}
		sched.Release(&c.written)
	}
}

// looked and changed tell the race detector of an access to *p, so that it sees
// when others access the variable plainly. The edge from what an operation
// observes is made before, and that to who observes it after.

func looked[P any](p *P)  { sched.AtomicRead(unsafe.Pointer(p), unsafe.Sizeof(*p)) }
func changed[P any](p *P) { sched.AtomicWrite(unsafe.Pointer(p), unsafe.Sizeof(*p)) }

// load, store, update and swapIf are the four kinds of operation; do is the
// real one. It runs first, because it panics for a nil address.

func load[P, T any](p *P, what string, do func(*P) T) T {
	c := step(p, sched.KindLoad, sched.AsWord, what)
	v := do(p)
	c.read()
	looked(p)
	return v
}

func store[P, T any](p *P, v T, what string, do func(*P, T)) {
	c := step(p, sched.KindStore, sched.AsWordStore, what)
	do(p, v)
	changed(p)
	c.write()
}

func update[P, A, T any](p *P, arg A, what string, do func(*P, A) T) T {
	c := step(p, sched.KindStore, sched.AsWord, what)
	v := do(p, arg)
	c.read()
	changed(p)
	c.write()
	return v
}

func swapIf[P, T any](p *P, old, new T, what string, do func(*P, T, T) bool) bool {
	c := step(p, sched.KindStore, sched.AsWord, what)
	swapped := do(p, old, new)
	c.read()
	if !swapped {
		looked(p)
		return false
	}
	changed(p)
	c.write()
	return true
}
