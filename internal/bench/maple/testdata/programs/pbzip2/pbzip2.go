// Package pbzip2 has the bug of pbzip2: the main goroutine lets go of the queue when
// the consumers have taken everything, and not when they have left it.
package pbzip2

import (
	"sync"
	"sync/atomic"
)

// A Queue is let go of by Close.
type Queue struct {
	mu    *sync.Mutex
	items []int
	empty chan struct{}
}

// A Pipeline has a queue while there is work.
type Pipeline struct {
	queue atomic.Pointer[Queue]
	sum   atomic.Int64
}

// Consume takes everything.
func (p *Pipeline) Consume() {
	q := p.queue.Load()
	q.mu.Lock()
	for _, n := range q.items {
		p.sum.Add(int64(n))
	}
	q.items = nil
	q.mu.Unlock()
	close(q.empty)
	p.queue.Load().mu.Lock() // looks once more whether there is anything
	p.queue.Load().mu.Unlock()
}

// Run compresses a few blocks.
func Run(blocks []int, work func()) int64 {
	p := &Pipeline{}
	q := &Queue{mu: new(sync.Mutex), items: blocks, empty: make(chan struct{})}
	p.queue.Store(q)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		p.Consume()
	}()
	<-q.empty
	work()
	p.queue.Store(nil)
	wg.Wait()
	return p.sum.Load()
}
