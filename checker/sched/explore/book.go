package explore

import (
	"mendel/checker/sched"
	"mendel/checker/sched/causal"
)

// A book has a tracker know the state that an execution is in, so that states can be
// told apart from one execution to the next: see stateful. A state is the history of each
// goroutine, and the value of each location.
//
// A history is less here than in package causal: between Enter and Left a goroutine does
// what leaves no trace in its own variables, and has forgotten then what it saw. A value
// that is an origin (see tracker) is made of all that its writer ever saw.
type book struct {
	aliases map[uint64]uint64 // by who met something first, and when: its name; of all executions
	words   map[uintptr]uint64
	objects map[int32]uint64
	names   []uint64 // by location
	sum     uint64   // of the values of all locations that do not have their initial one
	queues  map[int]*waitQueue
	holders map[int]int // by location of a mutex: 1 + ID of the goroutine that has locked it
	odd     bool        // a mutex was tried, or unlocked by another goroutine than locked it
}

// A waitQueue is what a condition variable has: names of goroutines.
type waitQueue struct{ waiting, woken []uint64 }

func newBook(aliases map[uint64]uint64) *book {
	return &book{aliases: aliases, words: map[uintptr]uint64{}, objects: map[int32]uint64{}, holders: map[int]int{}}
}

// forget has a goroutine forget what it has seen since its history was another one. What
// it reads from here on it sees anew.
func (t *tracker) forget(g int, history uint64) {
	k := &t.gs[g]
	t.leave(g)
	k.own, k.owns = k.own[:0], nil
	k.history = causal.Mix(history, forgotten)
	k.full, k.since = causal.Mix(k.full, forgotten), 0
}

// Numbers that tell uses of Mix apart.
const (
	forgotten  = 0x4c45
	wordMet    = 0x574f
	objectMet  = 0x4f42
	hasEnded   = 0x454e
	queueEnd   = 0x5155
	stillThere = 0x414c
)

// meet returns the name of what the goroutine that is the namer meets: known, unless that
// is 0. The history of who meets it, and what it has met since that was another, determine
// what it is. So two goroutines that meet the same thing give it the same name in all
// executions from there on.
func (t *tracker) meet(tag, known uint64) uint64 {
	k := &t.gs[t.namer]
	k.since++
	key := causal.Mix(causal.Mix(k.history, tag), k.since)
	name, met := t.book.aliases[key]
	switch {
	case known != 0:
		name = known
	case !met:
		name = key
	}
	if !met {
		t.book.aliases[key] = name
	}
	return name
}

// wordName names a word of memory.
func (t *tracker) wordName(address uintptr) uint64 {
	if t.book == nil {
		return 0
	}
	known, ok := t.book.words[address]
	name := t.meet(wordMet, known)
	if !ok {
		t.book.words[address] = name
	}
	return name
}

// objectName names an object.
func (t *tracker) objectName(id int32) uint64 {
	if t.book == nil {
		return 0
	}
	known, ok := t.book.objects[id]
	name := t.meet(objectMet, known)
	if !ok {
		t.book.objects[id] = name
	}
	return name
}

// named gives the newest location a name.
func (t *tracker) named(loc int, name uint64) {
	if b := t.book; b != nil {
		for len(b.names) < loc {
			b.names = append(b.names, 0)
		}
		b.names = append(b.names, name)
	}
}

// set gives a location a value.
func (t *tracker) set(loc int, v uint64) {
	c := &t.now[loc]
	if b := t.book; b != nil {
		initial := t.t.Locations[loc].Initial
		if c.value != initial {
			b.sum -= causal.Mix(b.names[loc], c.value)
		}
		if v != initial {
			b.sum += causal.Mix(b.names[loc], v)
		}
	}
	c.value = v
}

// state is a hash of the state that the execution is in. No goroutine is doing a part.
func (t *tracker) state() uint64 {
	sum := t.book.sum
	for g := range t.gs {
		is := uint64(stillThere)
		if t.t.Goroutines[g].Next == nil {
			is = hasEnded
		}
		sum += causal.Mix(causal.Mix(t.t.Goroutines[g].Name, t.gs[g].history), is)
	}
	return sum
}

// follows notes what an operation does to an object of which more is known than that it
// was used: a read/write lock, a condition variable.
func (t *tracker) follows(g, loc int) bool {
	op, do := t.view.Op(g), t.partOf(g).Op.Do
	switch {
	case op.As == sched.AsQueue:
		t.queued(op, t.t.Goroutines[g].Name, loc)
		return true
	case t.t.Locations[loc].Kind == causal.Mutex:
		t.held(g, do, loc)
		return false
	case t.t.Locations[loc].Kind != causal.RWMutex:
		return false
	}
	t.set(loc, t.now[loc].value+lockStep(do))
	return true
}

// held notes which goroutine holds a mutex.
func (t *tracker) held(g int, do causal.Effect, loc int) {
	b := t.book
	switch do {
	case causal.Lock:
		b.holders[loc] = g + 1
	case causal.Unlock:
		b.odd = b.odd || b.holders[loc] != g+1
		delete(b.holders, loc)
	default:
		b.odd = true
	}
}

// lockStep is what an operation adds to the value of a read/write lock: it counts who has
// arrived, who is inside, and the readers.
func lockStep(do causal.Effect) uint64 {
	const arrived, inside, reader = 1, 1 << 20, 1 << 40
	switch do {
	case causal.Arrive:
		return arrived
	case causal.Lock:
		return inside
	case causal.Unlock:
		return ^uint64(arrived+inside) + 1
	case causal.RLock:
		return reader
	case causal.RUnlock:
		return ^uint64(reader) + 1
	}
	return 0
}

// queued notes that a goroutine waits in a queue, goes on, or wakes others.
func (t *tracker) queued(op *sched.Op, name uint64, loc int) {
	if t.book.queues == nil {
		t.book.queues = map[int]*waitQueue{}
	}
	q := t.book.queues[loc]
	if q == nil {
		q = &waitQueue{}
		t.book.queues[loc] = q
	}
	switch {
	case op.Kind == sched.KindSignal:
		n := len(q.waiting)
		if op.Size > 0 {
			n = min(n, int(op.Size))
		}
		q.woken = append(q.woken, q.waiting[:n]...)
		q.waiting = append([]uint64(nil), q.waiting[n:]...)
	case op.Read:
		for i, w := range q.woken {
			if w == name {
				q.woken = append(q.woken[:i], q.woken[i+1:]...)
				break
			}
		}
	default:
		q.waiting = append(q.waiting, name)
	}
	value := uint64(0)
	if len(q.waiting) > 0 {
		value = queueEnd
	}
	for _, w := range q.waiting {
		value = causal.Mix(value, w)
	}
	for _, w := range q.woken {
		value += causal.Mix(hasEnded, w)
	}
	t.set(loc, value)
}
