package explore

import (
	"hash/fnv"
	"unsafe"

	"mendel/checker/sched"
	"mendel/checker/sched/causal"
)

// describe returns what g has announced.
func (t *tracker) describe(g int) causal.Op {
	op := t.view.Op(g)
	t.namer = g
	d := causal.Op{Label: labelOf(op), Loc: causal.None, Blocks: op.Enabled != nil}
	switch {
	case op.Kind.Communicates():
		t.communication(g, &d)
	case op.Kind >= sched.KindReturn || op.Kind == sched.KindSleep || op.Kind == sched.KindAccess:
		t.explorer.Break("the order of operations is not followed: " + op.Kind.String() + " " + op.What)
		d.Blocks = false // not for ever, as far as is known
	case op.Obj == nil:
		if op.Enabled != nil {
			t.explorer.Break("it is not known for what goroutines wait: " + op.What)
		}
	case op.As == sched.AsLock:
		t.lock(op, &d)
	case op.As == sched.AsCounter:
		d.Loc = t.object(op.Obj, causal.Counter, uint64(*(*int32)(op.Word)))
		if d.Do = causal.WaitZero; op.Kind == sched.KindAdd {
			d.Do = causal.Add
		}
		d.Blocks = d.Do == causal.WaitZero
	case op.As == sched.AsWord:
		d.Loc = t.wordOf(op)
	case op.As == sched.AsWordStore:
	default:
		d.Loc = t.object(op.Obj, causal.Register, 0)
	}
	return d
}

// labelOf tells operations apart.
func labelOf(op *sched.Op) uint64 {
	h := fnv.New64a()
	h.Write([]byte(op.What))
	return causal.Mix(h.Sum64(), uint64(op.Kind))
}

// object returns the location of an object.
func (t *tracker) object(o *sched.Object, kind causal.LocationKind, initial uint64) int {
	if t.objects == nil {
		t.objects = map[int32]int{}
	}
	loc, ok := t.objects[o.ID()]
	if !ok {
		loc = t.location(kind, content{value: initial})
		t.objects[o.ID()] = loc
		t.named(loc, t.objectName(o.ID()))
	} else if t.book != nil {
		t.objectName(o.ID())
	}
	if t.t.Locations[loc].Kind != kind {
		t.explorer.Break("an object is used in more than one way")
	}
	return loc
}

var effectsOf = map[sched.Kind]causal.Effect{
	sched.KindAcquire: causal.Lock, sched.KindRelease: causal.Unlock, sched.KindArrive: causal.Arrive,
	sched.KindRAcquire: causal.RLock, sched.KindRRelease: causal.RUnlock,
}

// lock describes an operation on a lock. That a lock is one for readers too is known by
// the first operation on it: a writer arrives before it acquires.
func (t *tracker) lock(op *sched.Op, d *causal.Op) {
	d.Do = effectsOf[op.Kind]
	kind := causal.Mutex
	if op.Kind != sched.KindAcquire && op.Kind != sched.KindRelease {
		kind = causal.RWMutex
	} else if loc, ok := t.objects[op.Obj.ID()]; ok {
		kind = t.t.Locations[loc].Kind
	}
	d.Loc = t.object(op.Obj, kind, 0)
	if tries := op.Enabled == nil && d.Do != causal.Unlock && d.Do != causal.RUnlock; tries && kind == causal.RWMutex {
		t.explorer.Break("the program tries to take a read/write lock")
	} else if tries {
		d.Do = causal.TryLock
	}
}

// wordOf returns the location of an operation on memory.
func (t *tracker) wordOf(op *sched.Op) int {
	address := uintptr(op.Word)
	mask := uint8(1<<op.Size-1) << (address % 8)
	start := unsafe.Add(op.Word, -int(address%8))
	locs := t.locationsOf(start, address&^7, mask, sched.Mode{})
	if len(locs) != 1 || address%8+op.Size > 8 {
		t.explorer.Break("memory is read or written in parts of different sizes")
		return t.location(causal.Register, content{})
	}
	return locs[0]
}

// channel returns the location of a channel.
func (t *tracker) channel(c *sched.Object) int {
	loc := t.object(c, causal.Register, 0)
	t.now[loc].flag = c.Unbuffered()
	t.t.Locations[loc].Shared = t.now[loc].flag
	return loc
}

// communication describes a send, a receive, a select or a close.
func (t *tracker) communication(g int, d *causal.Op) {
	op := t.view.Op(g)
	if op.Kind == sched.KindClose {
		d.Loc, d.Close = t.channel(op.Obj), true
		return
	}
	d.Default = op.Enabled == nil
	for i := range t.view.Offers(g) {
		o := t.view.Offer(g, i)
		c := causal.Case{Loc: causal.None, Send: o.Sends()}
		if on := o.Channel(); on != nil {
			c.Loc = t.channel(on)
			c.Unbuffered = on.Unbuffered()
			if o.Ticks() {
				t.explorer.Break("the program uses timers")
				d.Blocks = false // not for ever
			}
		}
		d.Cases = append(d.Cases, c)
	}
}

// Communicated implements [sched.Recorder].
func (t *tracker) Communicated(g, offer, met int) {
	if !t.doing(g) {
		return
	}
	k, p := &t.gs[g], t.partOf(g)
	p.Case = offer
	t.see(g, causal.Seen{Loc: causal.None, Value: uint64(offer + 1)})
	if offer < 0 {
		for _, c := range p.Op.Cases {
			if c.Loc != causal.None {
				t.see(g, causal.Seen{Loc: c.Loc, Value: t.now[c.Loc].value})
			}
		}
		return
	}
	loc := p.Op.Cases[offer].Loc
	t.see(g, causal.Seen{Loc: loc, Value: t.now[loc].value})
	switch {
	case !p.Op.Cases[offer].Unbuffered:
		t.wrote(g, loc, 0)
	case t.now[loc].value == 0: // it met another goroutine
		with := &t.gs[met]
		h := with.history
		if with.step == k.step {
			h = with.before
		}
		t.see(g, causal.Seen{Loc: causal.None, Value: h})
	}
}

// waits tells the explorer which operations have to wait.
func (t *tracker) waits(pending []sched.Pending) {
	for i := range pending {
		g := pending[i].G
		if g < 0 || g >= len(t.gs) {
			continue
		}
		k := &t.gs[g]
		h := causal.Begin(k.history)
		for n := range k.op.Cases {
			if c := &k.op.Cases[n]; c.Loc != causal.None && !c.Unbuffered {
				t.explorer.Waits(causal.State(h, n, t.now[c.Loc].value), t.view.Offer(g, n).Ways() == 0)
			}
		}
		if k.op.Loc != causal.None && len(k.op.Cases) == 0 && k.op.Do == causal.Other && k.op.Blocks {
			t.explorer.Waits(causal.State(h, causal.None, t.now[k.op.Loc].value), t.blocks(g))
		}
	}
}

// blocks reports whether a goroutine has to wait.
func (t *tracker) blocks(g int) bool {
	enabled := t.view.Op(g).Enabled
	return enabled != nil && !enabled()
}
