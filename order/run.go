package order

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// current is the *run whose events At passes; nil if there is none.
var current atomic.Value

// turn is taken by the one order that runs.
var turn = make(chan struct{}, 1)

// mode is what becomes of an event that comes too early.
type mode int

const (
	enforce mode = iota // it waits
	try                 // it waits as long as anything else goes on
	expect              // it is an error
)

// A run is an order while its test runs. Events, the watcher and the test share it. What
// changes is under mu, and only functions with go:norace have to do with it. Such a function makes no
// timers and no text by package fmt: these order goroutines by what the race detector does
// not see there, and it would take what they do for races.
type run struct {
	order  *order
	mode   mode
	within time.Duration
	bubble string

	mu      sync.Mutex
	names   []name
	passed  []passing // of each key of the order
	came    []int     // the keys that have come, in this order
	events  int       // all that were passed, and all that came and wait
	waiting int       // goroutines in At
	over    bool      // no event waits any more
	early   []early
	outside bool // an event was passed in another bubble than that of the order

	kick    chan struct{} // wakes the watcher
	stop    chan struct{} // ends it
	watched chan struct{} // closed at its end
	verdict chan struct{} // closed when the order cannot be kept
	why     *verdict
}

// A name is an event of the order: all of its passings.
type name struct {
	name  string
	count int
	queue []*waiter // goroutines that wait for it
}

// A passing is one of an event, by a goroutine at a place.
type passing struct {
	came      bool
	goroutine int64
	place     place
}

// A place is where At was called: the innermost calls.
type place [8]uintptr

// A waiter is a goroutine in At.
type waiter struct {
	passing
	since int // run.events when it came
	wake  chan struct{}
}

// An early is an event that came too early.
type early struct {
	key   int
	place place
	lacks string
}

func newRun(o *order, m mode, options []Option) *run {
	r := &run{order: o, mode: m, within: 10 * time.Second}
	for _, option := range options {
		option(r)
	}
	_, r.bubble = self()
	r.passed = make([]passing, len(o.keys))
	for i := range o.keys {
		if r.name(o.keys[i].name) == nil {
			r.names = append(r.names, name{name: o.keys[i].name})
		}
	}
	r.kick = make(chan struct{}, 1)
	r.stop = make(chan struct{})
	r.watched = make(chan struct{})
	r.verdict = make(chan struct{})
	return r
}

// lock and unlock enclose what shares the fields of a run. The race detector does not see it.
func (r *run) lock() {
	hide()
	r.mu.Lock()
}

func (r *run) unlock() {
	r.mu.Unlock()
	show()
}

// name finds an event of the order; nil if it names none such.
//
//go:norace
func (r *run) name(of string) *name {
	for i := range r.names {
		if r.names[i].name == of {
			return &r.names[i]
		}
	}
	return nil
}

// at is At within an order.
//
//go:norace
func (r *run) at(event string) {
	n := r.name(event)
	if n == nil {
		r.lock()
		r.events++
		r.unlock()
		return
	}
	w := &waiter{}
	var bubble string
	w.goroutine, bubble = self()
	runtime.Callers(2, w.place[:])

	r.lock()
	if bubble != r.bubble {
		r.outside = true
	}
	if r.over || bubble != r.bubble {
		r.unlock()
		return
	}
	r.events++
	if r.mode == expect {
		r.look(n, w)
		r.unlock()
		return
	}
	n.queue = append(n.queue, w)
	r.advance(nil)
	if w.came {
		r.unlock()
		return
	}
	w.since = r.events
	w.wake = make(chan struct{})
	r.waiting++
	r.unlock()
	select {
	case r.kick <- struct{}{}:
	default:
	}
	<-w.wake
}

// key is the place of the next passing of an event; -1 if the order does not name it.
//
//go:norace
func (r *run) key(n *name) int {
	for i := range r.order.keys {
		if k := &r.order.keys[i]; k.name == n.name && k.n == n.count+1 {
			return i
		}
	}
	return -1
}

// advance lets events pass until all that are left have to wait. With a view,
// blocked goroutines are seen; without one, none is.
//
//go:norace
func (r *run) advance(b *seen) (advanced bool) {
	for again := true; again; {
		again = false
		for i := range r.names {
			n := &r.names[i]
			for len(n.queue) > 0 && r.may(r.key(n), b) {
				r.pass(n)
				again, advanced = true, true
			}
		}
	}
	return advanced
}

// may reports whether an event may come.
//
//go:norace
func (r *run) may(key int, b *seen) bool {
	if key < 0 {
		return true
	}
	for _, a := range r.order.keys[key].after {
		if !r.holds(a, b) {
			return false
		}
	}
	return true
}

//go:norace
func (r *run) holds(a *after, b *seen) bool {
	switch a.op {
	case all:
		for _, kid := range a.kids {
			if !r.holds(kid, b) {
				return false
			}
		}
		return true
	case some:
		for _, kid := range a.kids {
			if r.holds(kid, b) {
				return true
			}
		}
		return false
	case blocked:
		return r.passed[a.key].came && b.blocked(r.passed[a.key].goroutine, a.in)
	}
	return r.passed[a.key].came
}

// pass lets the goroutine pass that has waited longest for an event.
//
//go:norace
func (r *run) pass(n *name) {
	w := n.queue[0]
	n.queue = n.queue[1:]
	w.came = true
	r.record(n, w)
	if w.wake != nil {
		r.waiting--
		close(w.wake)
	}
}

//go:norace
func (r *run) record(n *name, w *waiter) {
	if key := r.key(n); key >= 0 {
		r.passed[key] = passing{true, w.goroutine, w.place}
		r.came = append(r.came, key)
	}
	n.count++
	r.events++
}

// look is what becomes of an event that nobody enforces.
//
//go:norace
func (r *run) look(n *name, w *waiter) {
	if key := r.key(n); key >= 0 && !r.may(key, nil) {
		b := new(seen)
		if r.hasBlock(key) {
			b.now = dump().in(r.bubble)
		}
		if !r.may(key, b) {
			r.early = append(r.early, early{key, w.place, r.lacks(key, b)})
		}
	}
	r.record(n, w)
}

// hasBlock reports whether an event waits for a goroutine to be blocked.
//
//go:norace
func (r *run) hasBlock(key int) bool {
	if key < 0 {
		return false
	}
	for _, a := range r.order.keys[key].after {
		if a.hasBlock() {
			return true
		}
	}
	return false
}

//go:norace
func (a *after) hasBlock() bool {
	for _, kid := range a.kids {
		if kid.hasBlock() {
			return true
		}
	}
	return a.op == blocked
}

// awaitsBlock reports whether a goroutine waits for another one to be blocked.
//
//go:norace
func (r *run) awaitsBlock() bool {
	for i := range r.names {
		if n := &r.names[i]; len(n.queue) > 0 && r.hasBlock(r.key(n)) {
			return true
		}
	}
	return false
}

// release lets all go that wait, and all that come.
//
//go:norace
func (r *run) release() {
	r.over = true
	for i := range r.names {
		n := &r.names[i]
		for len(n.queue) > 0 {
			r.pass(n)
		}
	}
}

// longest is the event whose first goroutine has waited longest; nil if none waits.
//
//go:norace
func (r *run) longest() *name {
	var longest *name
	for i := range r.names {
		if n := &r.names[i]; len(n.queue) > 0 && (longest == nil || n.queue[0].since < longest.queue[0].since) {
			longest = n
		}
	}
	return longest
}

// giveWay lets one goroutine go on too early, the one that waits longest.
//
//go:norace
func (r *run) giveWay(b *seen) {
	n := r.longest()
	key := r.key(n)
	r.early = append(r.early, early{key, n.queue[0].place, r.lacks(key, b)})
	r.pass(n)
	r.advance(nil)
}

// A seen is what is known of goroutines: in which places they were found twice.
type seen struct {
	now     *view
	earlier *view // nil: one view is enough
}

// blocked reports whether the program blocks a goroutine, below a function if one is
// named.
//
//go:norace
func (b *seen) blocked(id int64, in string) bool {
	if b == nil || b.now == nil {
		return false
	}
	g := b.now.find(id)
	return g != nil && g.blocks() && (b.earlier == nil || g.same(b.earlier)) && (in == "" || g.below(in))
}
