package net

import (
	"io"
	"net"
	"os"

	"mendel/checker/sched"
	"mendel/checker/shim/sync"
	"mendel/checker/shim/time"
)

// A deadline is a time after which its channel is closed.
type deadline struct {
	mu     sync.Mutex
	timer  *time.Timer
	passed chan struct{}
}

// set moves the deadline. The zero Time is none.
func (d *deadline) set(t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil && !d.timer.Stop() {
		sched.Recv(d.passed) // its function is about to close it
	}
	d.timer = nil
	closed := isClosed(d.passed)
	left := time.Until(t)
	if closed && (t.IsZero() || left > 0) {
		d.passed = sched.MakeChan[struct{}](0)
	}
	switch {
	case t.IsZero():
	case left > 0:
		d.timer = time.AfterFunc(left, func() { sched.Close(d.passed) })
	case !closed:
		sched.Close(d.passed)
	}
}

// channel is closed when the deadline has passed.
func (d *deadline) channel() chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.passed
}

func isClosed(c chan struct{}) bool { return sched.SelectDefault(sched.From(c)) == 0 }

type address struct{}

func (address) Network() string { return "pipe" }
func (address) String() string  { return "pipe" }

// A pipe is one end of a connection. It takes the steps of the real one.
type pipe struct {
	writing sync.Mutex

	offered <-chan []byte // by the other end's writes, each followed by a send on taken
	taken   chan<- int
	offers  chan<- []byte
	takes   <-chan int

	once         sync.Once
	done         chan struct{} // closed with this end
	remote       chan struct{} // and with the other one
	read, writes deadline
}

// Pipe is net.Pipe.
func Pipe() (net.Conn, net.Conn) {
	a, b := sched.MakeChan[[]byte](0), sched.MakeChan[[]byte](0)
	m, n := sched.MakeChan[int](0), sched.MakeChan[int](0)
	p, q := &pipe{offered: a, taken: m, offers: b, takes: n}, &pipe{offered: b, taken: n, offers: a, takes: m}
	p.done, q.done = sched.MakeChan[struct{}](0), sched.MakeChan[struct{}](0)
	p.remote, q.remote = q.done, p.done
	for _, d := range []*deadline{&p.read, &p.writes, &q.read, &q.writes} {
		d.passed = sched.MakeChan[struct{}](0)
	}
	return p, q
}

func (*pipe) LocalAddr() net.Addr  { return address{} }
func (*pipe) RemoteAddr() net.Addr { return address{} }

// Read waits for a write of the other end, the end of the connection or the deadline.
func (p *pipe) Read(b []byte) (int, error) {
	n, err := p.receive(b)
	return n, operation("read", err)
}

// Write waits until the other end has read all bytes.
func (p *pipe) Write(b []byte) (int, error) {
	n, err := p.send(b)
	return n, operation("write", err)
}

// operation makes the error of an operation of what went wrong.
func operation(name string, err error) error {
	if err == nil || err == io.EOF || err == io.ErrClosedPipe {
		return err
	}
	return &net.OpError{Op: name, Net: "pipe", Err: err}
}

func (p *pipe) receive(b []byte) (int, error) {
	switch {
	case isClosed(p.done):
		return 0, io.ErrClosedPipe
	case isClosed(p.remote):
		return 0, io.EOF
	case isClosed(p.read.channel()):
		return 0, os.ErrDeadlineExceeded
	}
	from := sched.From(p.offered)
	switch sched.Select(from, sched.From(p.done), sched.From(p.remote), sched.From(p.read.channel())) {
	case 0:
		n := sched.Copy(b, from.V)
		sched.Send(p.taken, n)
		return n, nil
	case 1:
		return 0, io.ErrClosedPipe
	case 2:
		return 0, io.EOF
	}
	return 0, os.ErrDeadlineExceeded
}

func (p *pipe) send(b []byte) (n int, err error) {
	switch {
	case isClosed(p.done), isClosed(p.remote):
		return 0, io.ErrClosedPipe
	case isClosed(p.writes.channel()):
		return 0, os.ErrDeadlineExceeded
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	for first := true; first || len(b) > 0; first = false {
		switch sched.Select(sched.To(p.offers).Case(b), sched.From(p.done), sched.From(p.remote), sched.From(p.writes.channel())) {
		case 0:
			some := sched.Recv(p.takes)
			b = b[some:]
			n += some
		case 1, 2:
			return n, io.ErrClosedPipe
		default:
			return n, os.ErrDeadlineExceeded
		}
	}
	return n, nil
}

// SetDeadline sets both deadlines.
func (p *pipe) SetDeadline(t time.Time) error { return p.setDeadlines(t, &p.read, &p.writes) }

// SetReadDeadline sets that of reads.
func (p *pipe) SetReadDeadline(t time.Time) error { return p.setDeadlines(t, &p.read) }

// SetWriteDeadline sets that of writes.
func (p *pipe) SetWriteDeadline(t time.Time) error { return p.setDeadlines(t, &p.writes) }

func (p *pipe) setDeadlines(t time.Time, all ...*deadline) error {
	if isClosed(p.done) || isClosed(p.remote) {
		return io.ErrClosedPipe
	}
	for _, d := range all {
		d.set(t)
	}
	return nil
}

// Close closes this end.
func (p *pipe) Close() error {
	p.once.Do(func() { sched.Close(p.done) })
	return nil
}
