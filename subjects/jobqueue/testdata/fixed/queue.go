// Package jobqueue runs jobs on a fixed number of workers.
package jobqueue

import (
	"errors"
	"sync"
)

// ErrClosed is what Submit returns after Close.
var ErrClosed = errors.New("jobqueue: closed")

// A Job is something to do.
type Job func()

// A Queue takes jobs and lets its workers do them. It may be used by several
// goroutines.
type Queue struct {
	jobs    chan Job
	workers sync.WaitGroup

	mu        sync.RWMutex // guards what follows
	closed    bool
	submitted int
}

// New makes a queue with n workers, in which up to n jobs can wait.
func New(n int) *Queue {
	q := &Queue{jobs: make(chan Job, n)}
	for range n {
		q.workers.Add(1)
		go q.work()
	}
	return q
}

func (q *Queue) work() {
	defer q.workers.Done()
	for job := range q.jobs {
		job()
	}
}

// Submit hands in a job. It waits while too many are waiting.
func (q *Queue) Submit(job Job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	q.submitted++
	// Under the lock, so that Close does not close the channel meanwhile. Workers
	// take jobs without it.
	q.jobs <- job
	return nil
}

// Close lets the workers do what was submitted, and waits for them. Jobs that
// come later are refused.
func (q *Queue) Close() {
	q.mu.Lock()
	closed := q.closed
	q.closed = true
	q.mu.Unlock()
	if !closed {
		close(q.jobs)
	}
	q.workers.Wait()
}

// Submitted is the number of jobs that were taken.
func (q *Queue) Submitted() int {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return q.submitted
}
