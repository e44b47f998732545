package sync

import (
	"unsafe"

	"mendel/checker/sched"
)

// A Pool is a set of values to be used again.
type Pool struct {
	noCopy noCopy
	values []pooled

	// New makes a value when Get has none; it may be nil.
	New func() any
}

// pooled is a value in a Pool and what happened before it was put there.
type pooled struct {
	value any
	put   *sched.Object
}

// pool is the record of a Pool.
type pool struct {
	*Pool
	was    []pooled
	object sched.Object
}

func (r *pool) restore() { r.values = r.was }

func (p *Pool) record() *pool {
	return meet(unsafe.Pointer(p), func() *pool {
		return &pool{Pool: p, was: append([]pooled(nil), p.values...)}
	})
}

// Put adds x to the pool, unless it is nil.
func (p *Pool) Put(x any) {
	if x == nil {
		return
	}
	if !sched.Active() {
		uncontrolled("Pool.Put", unsafe.Pointer(p), always, func() { p.values = append(p.values, pooled{x, nil}) })
		return
	}
	r := p.record()
	used(p)
	sched.Do(sched.Op{Kind: sched.KindStore, Obj: &r.object, What: "Pool.Put"})
	v := pooled{x, new(sched.Object)}
	sched.Release(v.put)
	p.values = append(p.values, v)
}

// Get takes the value that was put last or, when there is none or the schedule
// has it so, calls New.
func (p *Pool) Get() any {
	var v pooled
	if !sched.Active() {
		uncontrolled("Pool.Get", unsafe.Pointer(p), always, func() { v = p.pop() })
	} else {
		r := p.record()
		used(p)
		sched.Do(sched.Op{Kind: sched.KindStore, Obj: &r.object, What: "Pool.Get"})
		if len(p.values) > 0 && sched.Choose(2) == 0 {
			v = p.pop()
		}
		if v.put != nil {
			sched.Acquire(v.put)
		}
	}
	if v.value == nil && p.New != nil {
		return p.New()
	}
	return v.value
}

// pop removes the last value; the zero value when there is none.
func (p *Pool) pop() (v pooled) {
	if n := len(p.values); n > 0 {
		v = p.values[n-1]
		p.values[n-1] = pooled{}
		p.values = p.values[:n-1]
	}
	return v
}
