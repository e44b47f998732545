// Package sections holds the forms of critical sections. A comment "section"
// behind an acquisition says what is recognised there; an acquisition without
// one begins no section.
package sections

import (
	"sync"
	"time"
)

type box struct {
	mu   sync.Mutex
	rw   sync.RWMutex
	n    int
	next *box
	done chan bool
}

type embedded struct {
	sync.Mutex
	n int
}

var (
	global    sync.Mutex
	shards    [4]box
	condition bool
)

func oneList(b *box) {
	println("before")
	b.mu.Lock() // section: 2 inside, 1 release
	b.n++
	b.n++
	b.mu.Unlock()
	println("after")
}

func deferred(b *box) {
	b.mu.Lock() // section: 1 inside, 1 release, deferred, whole
	defer b.mu.Unlock()
	b.n++
}

func deferredLater(b *box) {
	b.mu.Lock() // section: 3 inside, 1 release, deferred, whole
	b.n++
	defer b.mu.Unlock()
	b.n++
}

func deferredInLiteral(b *box) {
	b.mu.Lock() // section: 1 inside, 1 release, deferred, in a literal, whole
	defer func() {
		b.n--
		b.mu.Unlock()
	}()
	b.n++
}

func deferredByName(b *box) {
	b.mu.Lock() // section: 3 inside, 1 release, deferred, in a literal, whole
	unlock := func() { b.mu.Unlock() }
	defer unlock()
	b.n++
}

func deferredByNameInLiteral(b *box) {
	unlock := func() { b.rw.RUnlock() }
	b.rw.RLock() // section: 1 inside, 1 release, read, deferred, in a literal
	defer func() { unlock() }()
	println(b.n)
}

func calledByName(b *box) {
	b.mu.Lock()
	unlock := func() { b.mu.Unlock() }
	defer unlock()
	if b.n > 0 {
		unlock()
		b.mu.Lock()
	}
}

func renamed(b *box) {
	b.mu.Lock()
	unlock := func() { b.mu.Unlock() }
	defer func() { unlock() }()
	unlock = func() {}
}

func deferredWithReturns(b *box) int {
	b.mu.Lock() // section: 3 inside, 1 release, deferred, whole
	defer b.mu.Unlock()
	if b.n > 0 {
		return 1
	}
	for b.n < 10 {
		b.n++
	}
	return b.n
}

func deferredInBranch(b *box) int {
	if condition {
		b.mu.Lock() // section: 1 inside, 1 release, deferred
		defer b.mu.Unlock()
		return b.n
	}
	return 0
}

func deferredInBranchThatGoesOn(b *box) int {
	if condition {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.n++
	}
	return b.n
}

func deferredInLoop(bs []*box) {
	for _, b := range bs {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.n++
	}
}

func literal(b *box) {
	go func() {
		b.mu.Lock() // section: 1 inside, 1 release, whole
		b.n++
		b.mu.Unlock()
	}()
	f := func() int {
		b.mu.Lock() // section: 1 inside, 1 release, deferred, whole
		defer b.mu.Unlock()
		return b.n
	}
	f()
}

func readSide(b *box) int {
	b.rw.RLock() // section: 1 inside, 1 release, read, whole
	n := b.n
	b.rw.RUnlock()
	return n
}

func readDeferred(b *box) int {
	b.rw.RLock() // section: 1 inside, 1 release, read, deferred, whole
	defer b.rw.RUnlock()
	return b.n
}

func wrongSide(b *box) {
	b.rw.RLock()
	b.n++
	b.rw.Unlock()
}

func upgrade(b *box) {
	b.rw.RLock() // section: 1 inside, 1 release, read
	n := b.n
	b.rw.RUnlock()
	b.rw.Lock() // section: 1 inside, 1 release
	b.n = n
	b.rw.Unlock()
}

func earlyReturns(b *box) int {
	b.mu.Lock() // section: 3 inside, 3 releases
	if b.n < 0 {
		b.mu.Unlock()
		return -1
	}
	if b.n == 0 {
		b.mu.Unlock()
		time.Sleep(time.Second)
		return 0
	}
	b.n++
	b.mu.Unlock()
	return b.next.n
}

func bothBranches(b *box) {
	b.mu.Lock() // section: 2 inside, 2 releases, in branches, whole
	b.n++
	if b.n > 10 {
		b.n = 0
		b.mu.Unlock()
	} else {
		b.mu.Unlock()
	}
}

func oneBranch(b *box) {
	b.mu.Lock()
	b.n++
	if b.n > 10 {
		b.mu.Unlock()
	}
}

func allCases(b *box) int {
	b.mu.Lock() // section: 1 inside, 3 releases, in branches, whole
	switch {
	case b.n > 10:
		b.mu.Unlock()
	case b.n > 5:
		b.n++
		b.mu.Unlock()
		return 1
	default:
		b.mu.Unlock()
	}
	return 0
}

func noDefault(b *box) {
	b.mu.Lock()
	switch {
	case b.n > 10:
		b.mu.Unlock()
	}
}

func passedOn(b *box) {
	b.mu.Lock() // section: 1 inside, 1 release, in branches, whole
	switch {
	case b.n > 10:
		b.n++
		fallthrough
	default:
		b.mu.Unlock()
	}
}

func allComms(b *box, c chan int) {
	b.mu.Lock() // section: 1 inside, 2 releases, in branches, whole
	select {
	case n := <-c:
		b.n = n
		b.mu.Unlock()
	case <-b.done:
		b.mu.Unlock()
	}
}

func loopBody(bs []*box) {
	for _, b := range bs {
		b.mu.Lock() // section: 2 inside, 3 releases
		if b.n < 0 {
			b.mu.Unlock()
			break
		}
		if b.n == 0 {
			b.mu.Unlock()
			continue
		}
		b.mu.Unlock()
	}
}

func leavesLoopLocked(bs []*box) {
	for _, b := range bs {
		b.mu.Lock()
		if b.n < 0 {
			break
		}
		b.mu.Unlock()
	}
}

func loopInside(b *box) int {
	b.mu.Lock() // section: 1 inside, 2 releases, whole
outer:
	for b.n < 10 {
		for {
			if b.n == 3 {
				b.mu.Unlock()
				return 3
			}
			if b.n == 5 {
				break outer
			}
			if b.n == 7 {
				continue outer
			}
			break
		}
	}
	b.mu.Unlock()
	return 0
}

func loopReleases(b *box) {
	b.mu.Lock()
	for b.n < 10 {
		b.mu.Unlock()
	}
}

func endless(b *box) {
	b.mu.Lock() // section: 1 inside, 1 release, in branches, whole
	for {
		b.n++
		if b.n > 10 {
			b.mu.Unlock()
			break
		}
	}
}

func leftForAWhile(b *box) {
	b.mu.Lock()
	for b.n < 10 {
		b.mu.Unlock()
		time.Sleep(1)
		b.mu.Lock()
	}
	b.mu.Unlock()
}

func deferredAndLeft(b *box) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.Unlock()
	time.Sleep(1)
	b.mu.Lock()
}

func waits(b *box, c *sync.Cond) {
	c.L.Lock() // section: 2 inside, 1 release, whole
	for b.n == 0 {
		c.Wait()
	}
	b.n--
	c.L.Unlock()
}

func again(b *box) {
	b.mu.Lock() // section: 1 inside, 1 release
	b.n++
	b.mu.Unlock()
	b.mu.Lock() // section: 1 inside, 1 release
	b.n++
	b.mu.Unlock()
}

func nested(b, c *box) {
	b.mu.Lock() // section: 4 inside, 1 release, whole
	b.n++
	c.mu.Lock() // section: 1 inside, 1 release
	c.n++
	c.mu.Unlock()
	b.mu.Unlock()
}

func nestedDeferred(b, c *box) {
	b.mu.Lock() // section: 3 inside, 1 release, deferred, whole
	defer b.mu.Unlock()
	c.mu.Lock() // section: 1 inside, 1 release, deferred
	defer c.mu.Unlock()
	c.n++
}

func sameLockNested(b *box) {
	b.mu.Lock() // section: 4 inside, 1 release, whole
	b.n++
	b.mu.Lock() // section: 1 inside, 1 release
	b.n++
	b.mu.Unlock()
	b.mu.Unlock()
}

func handOverHand(b *box) {
	b.mu.Lock()      // section: 1 inside, 1 release
	b.next.mu.Lock() // section: 1 inside, 1 release
	b.mu.Unlock()
	b.next.mu.Unlock()
}

func walk(b *box) {
	b.mu.Lock()
	b = b.next
	b.mu.Unlock()
}

func shadowed(b *box) {
	b.mu.Lock()
	{
		b := b.next
		b.mu.Unlock()
	}
}

func tries(b *box) {
	if b.mu.TryLock() {
		b.n++
		b.mu.Unlock()
	}
}

func methodValue(b *box) {
	b.mu.Lock()
	unlock := b.mu.Unlock
	b.n++
	unlock()
}

func methodValueDeferred(b *box) {
	unlock := b.mu.Unlock
	b.mu.Lock()
	defer unlock()
	b.n++
}

func passed(b *box, f func(func())) {
	b.mu.Lock()
	f(b.mu.Unlock)
	b.mu.Unlock()
}

func releasedElsewhere(b *box) {
	b.mu.Lock()
	go func() {
		b.n++
		b.mu.Unlock()
	}()
}

func neverReleased(b *box) {
	b.mu.Lock()
	b.n++
}

func returnsLocked(b *box) {
	b.mu.Lock()
	if b.n > 0 {
		return
	}
	b.mu.Unlock()
}

func releasedTwice(b *box) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.n > 0 {
		b.mu.Unlock()
		return
	}
}

func panics(b *box) {
	b.mu.Lock() // section: 1 inside, 1 release, whole
	if b.n < 0 {
		panic("negative")
	}
	b.mu.Unlock()
}

func jumpsIn(b *box) {
	b.mu.Lock()
again:
	b.n++
	b.mu.Unlock()
	if b.n < 10 {
		goto again
	}
}

func jumpsOut(b *box) {
	b.mu.Lock() // section: 1 inside, 2 releases
	if b.n < 10 {
		b.mu.Unlock()
		goto end
	}
	b.mu.Unlock()
	b.n++
end:
}

func promoted(e *embedded) {
	e.Lock() // section: 1 inside, 1 release, whole
	e.n++
	e.Unlock()
}

func packageLevel() {
	global.Lock() // section: 1 inside, 1 release, deferred, whole
	defer global.Unlock()
	condition = true
}

func indexed(i int) {
	shards[i].mu.Lock() // section: 1 inside, 1 release
	shards[i].n++
	shards[i].mu.Unlock()
	shards[i].mu.Lock()
	i++
	shards[i].mu.Unlock()
}

func called() {
	pick().Lock()
	pick().Unlock()
}

func pick() *embedded { return nil }

func empty(b *box) {
	b.mu.Lock() // section: 0 inside, 1 release, whole
	b.mu.Unlock()
}

func methodExpression(b, c *box) {
	(*sync.Mutex).Lock(&b.mu)
	(*sync.Mutex).Unlock(&c.mu)
}

func inClause(b *box) {
	switch b.n {
	case 1:
		b.mu.Lock() // section: 1 inside, 1 release
		b.n++
		b.mu.Unlock()
	}
}
