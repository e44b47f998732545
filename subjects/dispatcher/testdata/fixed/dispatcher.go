// Package dispatcher sends queued messages, several at a time, and keeps a
// ledger of what was sent.
package dispatcher

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
)

// A Dispatcher sends messages. Its ledger may be read while it does.
type Dispatcher struct {
	slots  chan struct{} // holds one for each message under way
	rounds int           // of sealing a message

	mu   sync.Mutex // guards sent
	sent map[int][]Receipt
}

// A Receipt says that a message was sent.
type Receipt struct {
	To   string
	Seal string
}

// New makes a dispatcher that sends up to limit messages at a time and seals
// each in some rounds.
func New(limit, rounds int) *Dispatcher {
	return &Dispatcher{
		slots:  make(chan struct{}, limit),
		rounds: rounds,
		sent:   make(map[int][]Receipt),
	}
}

// Run sends all messages of a queue and waits for the last one.
func (d *Dispatcher) Run(q *Queue) {
	var wg sync.WaitGroup
	job, ok := q.Next()
	for ok {
		d.slots <- struct{}{}
		wg.Add(1)
		go func(job Job) {
			defer wg.Done()
			d.send(job)
			<-d.slots
		}(job)
		job, ok = q.Next()
	}
	wg.Wait()
}

// send seals a message and enters it in the ledger.
func (d *Dispatcher) send(job Job) {
	receipt := Receipt{To: job.To, Seal: Seal(job.Text, d.rounds)}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sent[job.ID] = append(d.sent[job.ID], receipt)
}

// Receipts are those of the job with a number: one, when it has been sent.
func (d *Dispatcher) Receipts(id int) []Receipt {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Receipt(nil), d.sent[id]...)
}

// Seal is the seal of a text.
func Seal(text string, rounds int) string {
	sum := sha256.Sum256([]byte(text))
	for range rounds {
		sum = sha256.Sum256(sum[:])
	}
	return hex.EncodeToString(sum[:])
}
