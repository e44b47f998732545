package order

import (
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"mendel/checker/sched"
)

// current is the order that runs; nil if there is none. It is that of the running
// execution only if gate is not Fresh.
var (
	current *run
	gate    sched.Object
)

// now returns the order that runs in this execution.
func now() *run {
	if !sched.Active() {
		return nil
	}
	if gate.Fresh() {
		current = nil
	}
	return current
}

// mode is what becomes of an event that comes too early.
type mode int

const (
	enforce mode = iota // it waits
	try                 // it waits as long as anything else goes on
	expect              // it is an error
)

// A run is an order while its test runs.
type run struct {
	order  *order
	mode   mode
	within time.Duration
	bubble *sched.Bubble

	blocks  bool // a goroutine is asked whether it is blocked
	below   bool // and in which function
	names   []name
	passed  []passing // of each key of the order
	came    []int     // the keys that have come, in this order
	early   []early
	over    bool // no event waits any more
	outside bool // an event was passed in another bubble than that of the order
}

// A name is an event of the order: all of its passings.
type name struct {
	name  string
	count int
}

// A passing is one of an event, by a goroutine.
type passing struct {
	came bool
	who  sched.Passer
}

// An early is an event that came too early.
type early struct {
	key   int
	place string
	lacks string
}

func newRun(o *order, m mode, options []Option) *run {
	r := &run{order: o, mode: m, within: 10 * time.Second, bubble: sched.Bubbled()}
	for _, option := range options {
		option(r)
	}
	r.passed = make([]passing, len(o.keys))
	for i := range o.keys {
		if r.name(o.keys[i].name) == nil {
			r.names = append(r.names, name{name: o.keys[i].name})
		}
		for _, a := range o.keys[i].after {
			a.walk(func(a *after) {
				r.blocks = r.blocks || a.op == blocked
				r.below = r.below || a.in != ""
			})
		}
	}
	return r
}

// walk visits a condition and those that it is made of.
func (a *after) walk(visit func(*after)) {
	visit(a)
	for _, kid := range a.kids {
		kid.walk(visit)
	}
}

// name finds an event of the order; nil if it names none such.
func (r *run) name(of string) *name {
	for i := range r.names {
		if r.names[i].name == of {
			return &r.names[i]
		}
	}
	return nil
}

// begin waits until no other order runs, and makes this one the current one.
func (r *run) begin() {
	now() // which forgets that of another execution
	sched.TakeTurn(&sched.Turn{Of: &gate, What: "begin of an order", Come: func() bool { return current == nil }})
	current = r
}

// end lets all events pass.
func (r *run) end() {
	sched.TakeTurn(&sched.Turn{Of: r.of(), What: "end of an order"})
	r.over = true
	if current == r {
		current = nil
	}
}

// of is the object of turns: none, if a turn depends on more than the others.
func (r *run) of() *sched.Object {
	if r.blocks {
		return nil
	}
	return &gate
}

// at is At within an order.
func (r *run) at(event string) {
	n := r.name(event)
	if n == nil || r.over {
		return
	}
	if sched.Bubbled() != r.bubble {
		r.outside = true
		return
	}
	t := &sched.Turn{Of: r.of(), What: "order.At(" + event + ")"}
	if r.mode != expect {
		t.Come = func() bool { return r.over || r.may(r.key(n)) }
		t.Lacks = func() string { return r.lacks(r.key(n)) }
		t.Bars, t.Yields = r.mode == enforce, r.mode == try
		t.Quiet, t.Asleep = r.within/100, r.within
		if r.bubble != nil {
			t.Asleep = t.Quiet
		}
	}
	if sched.TakeTurn(t); r.over || sched.Leaving() {
		return
	}
	r.pass(n)
}

// pass notes that an event is passed.
func (r *run) pass(n *name) {
	key := r.key(n)
	n.count++
	if key < 0 {
		return
	}
	for _, a := range r.order.keys[key].after {
		a.walk(func(a *after) {
			if a.op == blocked && r.holds(a) {
				r.passed[a.key].who.Rest()
			}
		})
	}
	if !r.may(key) {
		r.early = append(r.early, early{key, place(), r.lacks(key)})
	}
	r.passed[key] = passing{true, sched.Passing(r.below)}
	r.came = append(r.came, key)
}

// key is the place of the next passing of an event; -1 if the order does not name it.
func (r *run) key(n *name) int {
	for i := range r.order.keys {
		if k := &r.order.keys[i]; k.name == n.name && k.n == n.count+1 {
			return i
		}
	}
	return -1
}

// may reports whether an event may come.
func (r *run) may(key int) bool {
	if key < 0 {
		return true
	}
	for _, a := range r.order.keys[key].after {
		if !r.holds(a) {
			return false
		}
	}
	return true
}

func (r *run) holds(a *after) bool {
	switch a.op {
	case all:
		for _, kid := range a.kids {
			if !r.holds(kid) {
				return false
			}
		}
		return true
	case some:
		for _, kid := range a.kids {
			if r.holds(kid) {
				return true
			}
		}
		return false
	case blocked:
		p := &r.passed[a.key]
		return p.came && p.who.Blocked() && (a.in == "" || p.who.Within(a.accepts))
	}
	return r.passed[a.key].came
}

// accepts reports whether a function is the one that a condition names. The name may
// leave out what stands before a dot: Get is every Get, Pool.Get those of all types Pool.
func (a *after) accepts(function string) bool {
	function = normalFunction(function)
	rest := strings.TrimSuffix(function, a.in)
	return rest != function && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/"))
}

// home is what the functions of this package begin with.
var home = func() string {
	pc, _, _, _ := runtime.Caller(0)
	f := runtime.FuncForPC(pc).Name()
	return f[:strings.LastIndexByte(f, '/')+1] + "order."
}()

// place is the file and the line of the innermost call that is not this package's.
func place() string {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, home) || !more {
			return filepath.Base(f.File) + ":" + strconv.Itoa(f.Line)
		}
	}
}
