package sync

import (
	"unsafe"

	"mendel/checker/sched"
)

// A Once calls one function once.
type Once struct {
	noCopy noCopy
	stage  stage
	_      [8]byte
}

type stage uint32

const (
	idle stage = iota
	busy
	done
)

// once is the record of a Once.
type once struct {
	*Once
	was    stage
	object sched.Object
	free   func() bool
}

func (r *once) restore() {
	if r.stage != idle { // else it was assigned anew meanwhile
		r.stage = r.was
	}
}

func (o *Once) record() *once {
	return meet(unsafe.Pointer(o), func() *once { return &once{Once: o, was: o.stage, free: o.free} })
}

func (o *Once) free() bool { return o.stage != busy }

// Do calls f if it is the first call of Do on o. All calls return when that
// one has. It counts as done also when f panics or calls runtime.Goexit. A call
// of o.Do from f is blocked for ever.
func (o *Once) Do(f func()) {
	if !sched.Active() {
		o.really(f)
		return
	}
	r := o.record()
	used(o)
	sched.Do(sched.Op{Kind: sched.KindWait, Obj: &r.object, Read: o.stage == done,
		Enabled: r.free, As: sched.AsWord, Word: unsafe.Pointer(&o.stage), Size: unsafe.Sizeof(o.stage), What: "Once.Do"})
	sched.Acquire(&r.object)
	if o.stage == done {
		return
	}
	changed(o)
	o.stage = busy
	defer func() {
		sched.Do(sched.Op{Kind: sched.KindStore, Obj: &r.object,
			As: sched.AsWordStore, Word: unsafe.Pointer(&o.stage), Size: unsafe.Sizeof(o.stage), What: "end of Once.Do"})
		changed(o)
		o.stage = done
		sched.Release(&r.object)
	}()
	f()
}

// really is Do outside control.
func (o *Once) really(f func()) {
	first := false
	uncontrolled("Once.Do", unsafe.Pointer(o), o.free, func() {
		if first = o.stage == idle; first {
			o.stage = busy
		}
	})
	if !first {
		return
	}
	defer uncontrolled("end of Once.Do", unsafe.Pointer(o), always, func() { o.stage = done })
	f()
}
