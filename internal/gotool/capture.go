package gotool

import (
	"os"
	"sync"
	"time"
)

// drainFor is how long drain waits for output when all known writers are gone:
// an unknown one may still hold the pipe.
const drainFor = time.Second

// A capture keeps the beginning of what processes write into a pipe and
// throws the rest away, so that no writer ever waits.
type capture struct {
	r, w  *os.File
	limit int64
	full  chan struct{} // closed when there was more than limit
	done  chan struct{} // closed when the last writer is gone
	reads func([]byte)  // gets what is kept, as it comes; nil: nobody does

	startOnce sync.Once
	mu        sync.Mutex
	kept      []byte
	over      bool
}

func newCapture(limit int64) (*capture, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &capture{r: r, w: w, limit: limit, full: make(chan struct{}), done: make(chan struct{})}, nil
}

// start closes the caller's writing end, which the processes have inherited
// by now, and begins to read.
func (c *capture) start() {
	c.startOnce.Do(func() {
		c.w.Close()
		go c.read()
	})
}

func (c *capture) read() {
	defer close(c.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := c.r.Read(buf)
		c.keep(buf[:n])
		if err != nil {
			return
		}
	}
}

func (c *capture) keep(text []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if room := c.limit - int64(len(c.kept)); int64(len(text)) > room {
		text = text[:room]
		if !c.over {
			c.over = true
			close(c.full)
		}
	}
	c.kept = append(c.kept, text...)
	if c.reads != nil && len(text) > 0 {
		c.reads(text)
	}
}

// drain returns what was kept, once everything written was read.
func (c *capture) drain() []byte {
	late := time.NewTimer(drainFor)
	defer late.Stop()
	select {
	case <-c.done:
	case <-late.C:
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[:len(c.kept):len(c.kept)]
}

// overflowed reports whether text was thrown away.
func (c *capture) overflowed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// close releases the pipe; what was drained stays valid.
func (c *capture) close() {
	c.w.Close() // closed already if the command was started
	c.r.Close()
}
