package jobqueue

import "sync/atomic"

// A Batch counts what became of jobs that belong together.
type Batch struct {
	queue   *Queue
	done    atomic.Int64
	refused atomic.Int64
}

// NewBatch makes a batch whose jobs go to a queue.
func NewBatch(q *Queue) *Batch {
	return &Batch{queue: q}
}

// Add submits a job of the batch.
func (b *Batch) Add(job Job) {
	if err := b.queue.Submit(func() { job(); b.done.Add(1) }); err != nil {
		b.refused.Add(1)
	}
}

// Done is the number of jobs that were done.
func (b *Batch) Done() int { return int(b.done.Load()) }

// Refused is the number of jobs that came too late.
func (b *Batch) Refused() int { return int(b.refused.Load()) }
