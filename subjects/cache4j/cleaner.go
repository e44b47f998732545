package cache4j

import (
	"sync"
	"time"
)

// A cleaner does a round of cleaning, sleeps, and so on.
type cleaner struct {
	clean func() // one round
	stop  chan struct{}
	done  chan struct{} // closed when the cleaner has stopped

	mu       sync.Mutex // for those who change the interval
	interval time.Duration
	sleep    bool          // no round is under way
	alarm    chan struct{} // closed to end the sleep early
}

func newCleaner(interval time.Duration, clean func()) *cleaner {
	return &cleaner{
		clean:    clean,
		stop:     make(chan struct{}),
		done:     make(chan struct{}),
		interval: interval,
	}
}

// run does rounds until the cleaner is closed.
func (c *cleaner) run() {
	defer close(c.done)
	for {
		c.clean()
		if !c.rest() {
			return
		}
	}
}

// rest sleeps until the next round is due. It returns false when there is to
// be none.
func (c *cleaner) rest() bool {
	c.sleep = true
	c.alarm = make(chan struct{})
	timer := time.NewTimer(c.interval)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.alarm:
	case <-c.stop:
		return false
	}
	c.sleep = false
	return true
}

// setInterval changes the interval. A cleaner that sleeps does its next round
// at once; one that is busy uses the new interval after its round.
func (c *cleaner) setInterval(interval time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.interval = interval
	if c.sleep {
		close(c.alarm)
		c.sleep = false
	}
}

// close stops the cleaner and waits until it has stopped. It may be called
// once.
func (c *cleaner) close() {
	close(c.stop)
	<-c.done
}
