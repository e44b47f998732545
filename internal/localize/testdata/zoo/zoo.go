// Package zoo has a small program for each name of a fault. The test of each begins
// with Test; a marker ends the line that is to be found first.
package zoo

import (
	"errors"
	"sync"
	"sync/atomic"
)

func both(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Go(g)
	wg.Wait()
}

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) get() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func (c *counter) set(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n = n
}

func (c *counter) add() {
	n := c.get() // want LostUpdate: lost update
	c.set(n + 1)
}

type pool struct {
	mu   sync.Mutex
	free int
	out  int
}

func (p *pool) take() {
	p.mu.Lock()
	if p.free == 0 { // want CheckThenAct: check-then-act
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	p.mu.Lock() // want CheckThenAct: check-then-act
	p.free--
	p.out++
	p.mu.Unlock()
}

type config struct{ name string }

type holder struct{ c *config }

func (h *holder) publish() { h.c = &config{"new"} } // want Publication: unprotected publication

func (h *holder) look() bool { return h.c != nil }

func capture() int {
	status := 0
	both(func() {
		status = 1 // want Captured: captured variable
	}, func() {
		status = 2
	})
	return status
}

type gauge struct {
	mu    sync.Mutex
	level int
}

func (g *gauge) get() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.level
}

func (g *gauge) raise() {
	g.mu.Lock()
	g.level = 2
	g.mu.Unlock()
}

func (g *gauge) reset() {
	g.level = 0 // want MissingLock: missing lock
}

type meter struct {
	mu, other sync.Mutex
	level     int
}

func (m *meter) get() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.level
}

func (m *meter) raise() {
	m.mu.Lock()
	m.level = 2
	m.mu.Unlock()
}

func (m *meter) reset() {
	m.other.Lock() // want WrongLock: wrong lock
	m.level = 0
	m.other.Unlock()
}

type pair struct{ a, b sync.Mutex }

func (p *pair) forth() {
	p.a.Lock()
	p.b.Lock() // want Inversion: lock-order inversion
	p.b.Unlock()
	p.a.Unlock()
}

func (p *pair) back() {
	p.b.Lock()
	p.a.Lock() // want Inversion: lock-order inversion
	p.a.Unlock()
	p.b.Unlock()
}

type again struct {
	mu sync.Mutex
	n  int
}

func (a *again) get() int {
	a.mu.Lock() // want SelfDeadlock: self-deadlock
	defer a.mu.Unlock()
	return a.n
}

func (a *again) double() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n = 2 * a.get()
}

type early struct {
	mu sync.Mutex
	n  int
}

func (e *early) take() {
	e.mu.Lock()
	if e.n == 0 {
		return // want NotReleased: lock not released
	}
	e.n--
	e.mu.Unlock()
}

type mailbox struct {
	mu    sync.Mutex
	cond  *sync.Cond
	ready bool
}

func (m *mailbox) post() {
	m.mu.Lock()
	m.ready = true
	m.mu.Unlock()
	m.cond.Signal() // want MissedSignal: missed signal
}

func (m *mailbox) wait() {
	m.mu.Lock()
	m.cond.Wait()
	m.mu.Unlock()
}

func ask(stop chan struct{}) int {
	c := make(chan int)
	go func() {
		c <- 1 // want Sender: sender without receiver
	}()
	select {
	case n := <-c:
		return n
	case <-stop:
		return 0
	}
}

func collect(stop *counter) {
	c := make(chan int, 1)
	go func() {
		if stop.get() == 0 {
			c <- 1
		}
	}()
	go stop.set(1)
	<-c // want Receiver: receiver without sender
}

type pond struct{ room chan struct{} }

func (p *pond) swim(n int, stop chan int) {
	p.room <- struct{}{}
	dry := make(chan int, 1)
	go func() {
		defer func() { <-p.room }() // want Slots: double release
		dry <- n
	}()
	select {
	case <-dry:
	case <-stop:
		<-p.room // want Slots: double release
	}
}

func feed() {
	c := make(chan int, 2)
	both(func() {
		c <- 1 // want CloseDuringSend: close during send
	}, func() {
		close(c)
	})
}

type door struct {
	mu   sync.Mutex
	open bool
	c    chan int
}

func (d *door) isOpen() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open
}

func (d *door) shut() {
	if d.isOpen() {
		close(d.c) // want DoubleClose: double close
		d.mu.Lock()
		d.open = false
		d.mu.Unlock()
	}
}

type account struct {
	mu          sync.Mutex
	left, right int
}

func (a *account) move() {
	a.mu.Lock()
	a.left--
	a.right++
	a.mu.Unlock()
}

func (a *account) getLeft() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.left
}

func (a *account) getTwice() (int, int) {
	first := a.getLeft() // want Inconsistent: inconsistent read
	second := a.getLeft()
	return first, second
}

type queue struct {
	mu sync.Mutex
	c  chan int
}

func (q *queue) put() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.c <- 1 // want HoldingLock: blocked while holding a lock
}

func (q *queue) take() {
	q.mu.Lock()
	defer q.mu.Unlock()
	<-q.c // want HoldingLock: blocked while holding a lock
}

type crew struct {
	mu   sync.Mutex
	idle bool
	wg   sync.WaitGroup
}

func (c *crew) hire() {
	c.wg.Add(1)
	go func() {
		c.mu.Lock()
		idle := c.idle
		c.mu.Unlock() // want NotDone: wait that nobody ends
		if !idle {
			c.wg.Done()
		}
	}()
}

func (c *crew) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = true
}

func (c *crew) overbook() {
	c.wg.Add(2) // want TooMany: wait that nobody ends
	go func() {
		defer c.wg.Done()
		c.rest()
	}()
}

type batch struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	sums []int
}

func (b *batch) start(n int) {
	b.wg.Add(1)
	go func() {
		defer b.wg.Done()
		b.mu.Lock()
		defer b.mu.Unlock()
		b.sums = append(b.sums, n)
	}()
}

func (b *batch) finish() []int {
	b.mu.Lock() // want NotAwaited: wait that does not wait for all
	defer b.mu.Unlock()
	return b.sums
}

type stock struct {
	mu    sync.Mutex
	items map[string]int
}

func (s *stock) set(name string, n int) { s.items[name] = n }

func (s *stock) add(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set(name, 1)
}

func (s *stock) remove(name string) {
	s.set(name, 0) // want UnlockedCall: missing lock
}

type ledger struct {
	mu  sync.Mutex
	sum int
}

func (l ledger) total() int { // want Copied: copied lock
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sum
}

func (l *ledger) book(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sum += n
}

type limiter struct{ slots chan struct{} }

func newLimiter(n int) *limiter {
	return &limiter{slots: make(chan struct{}, n-1)} // want Full: buffer of the wrong size
}

func (l *limiter) try() bool {
	select {
	case l.slots <- struct{}{}:
		return true
	default:
		return false
	}
}

// A reader that looks for what has come, and then waits for the bell.
type bell struct {
	mu    sync.Mutex
	lines int
	rings chan struct{}
}

func newBell() *bell {
	return &bell{rings: make(chan struct{})} // want Bell: missed signal
}

func (b *bell) put() {
	b.mu.Lock()
	b.lines++
	b.mu.Unlock()
	select {
	case b.rings <- struct{}{}:
	default:
	}
}

func (b *bell) take() {
	for {
		b.mu.Lock()
		n := b.lines
		b.mu.Unlock()
		if n > 0 {
			return
		}
		<-b.rings
	}
}

// Two flags that must never be up together: nothing is unordered, and nothing written twice.
type lights struct{ north, east atomic.Bool }

func (l *lights) goNorth() bool {
	free := !l.east.Load()
	l.north.Store(free) // want Switched: order violation
	return free
}

func (l *lights) goEast() bool {
	free := !l.north.Load()
	l.east.Store(free) // want Switched: order violation
	return free
}

// Shared is exported: it is for its methods to lock, not for what they call.
type Shared struct {
	mu    sync.RWMutex
	names []string
}

func (s *Shared) put(name string) { s.names = append(s.names, name) }

// Put calls put under the lock.
func (s *Shared) Put(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(name)
}

func (s *Shared) count() int { return len(s.names) } // want Callers: missing lock

// Empty counts without the lock.
func (s *Shared) Empty() bool { return s.count() == 0 } // want Callers: missing lock

// First holds the lock for reading, while others do.
func (s *Shared) First() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(s.names) == 0 {
		return ""
	}
	return s.names[0]
}

// A registry answers with an error once it is closed, and then not at all any more.
type registry struct {
	mu     sync.Mutex
	closed bool
	names  int
}

var errClosed = errors.New("closed")

func (r *registry) add() error {
	r.mu.Lock()
	if r.closed {
		return errClosed // want TimedOut: lock not released
	}
	r.names++
	r.mu.Unlock()
	return nil
}

// A depot is like it, and its own caller waits for the lock.
type depot struct {
	mu   sync.Mutex
	free int
}

func (p *depot) take() bool {
	p.mu.Lock()
	if p.free == 0 {
		return false // want LeftLocked: lock not released
	}
	p.free--
	p.mu.Unlock()
	return true
}

func (p *depot) give() {
	p.mu.Lock()
	p.free++
	p.mu.Unlock()
}

// A stage hands on what it gets, unless nobody takes it any more.
func stage(in <-chan int, out chan<- int) {
	for v := range in {
		out <- v // want Reported: sender without receiver
	}
	close(out)
}
