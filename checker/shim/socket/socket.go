package socket

import (
	"errors"
	"io"
	"os"
	"syscall"
	"unsafe"

	"mendel/checker/sched"
)

// ErrClosed stands for net.ErrClosed, of a package that imports this one.
var ErrClosed = errors.New("use of closed network connection")

// errDeadline is what an operation fails with whose deadline has passed.
var errDeadline = os.ErrDeadlineExceeded

const (
	// tcpLimit is how many bytes a stream of TCP holds. Linux takes between 2.5 and 4 MB
	// of a connection that nobody reads, once its buffers have grown.
	tcpLimit = 2560 << 10
	// unixLimit is how many one of a Unix socket holds: Linux's default.
	unixLimit = 208 << 10
)

// A connection is what its two ends share.
type connection struct{ object sched.Object }

// A stream has what one end of a connection has sent and the other has not read.
type stream struct {
	bytes []byte
	ended bool         // no more will come
	sent  sched.Object // by which what was done before a write happens before what follows a read
}

// A Socket is one end of a connection, or a listener. The fields change in steps only.
type Socket struct {
	*connection
	local, remote Addr
	peer          *Socket
	in            stream
	limit         int // of the peer's in

	closed  bool
	deaf    bool  // CloseRead
	mute    bool  // CloseWrite
	gone    bool  // the peer was closed, and has been written to since
	broken  error // what the next operation tells: the connection was reset
	dead    bool  // it was reset
	abrupt  bool  // to be reset when it is closed: SetLinger(0)
	busy    bool  // somebody is within a Write
	reading deadline
	writing deadline

	used      bool // by an operation
	listens   bool
	dual      bool
	queue     []*Socket
	datagrams bool // of UDP: the peer is whoever sends
	packets   []packet

	canRead, canWrite, canGoOn, canAccept func() bool
}

func newSocket(c *connection, local, remote Addr) *Socket {
	s := &Socket{connection: c, local: local, remote: remote, limit: tcpLimit}
	s.canRead = func() bool {
		return s.closed || s.reading.passed || len(s.in.bytes) > 0 || s.in.ended || s.deaf || s.dead || s.broken != nil
	}
	s.canGoOn = func() bool {
		return s.closed || s.writing.passed || s.mute || s.dead || s.broken != nil || s.peer.closed || s.peer.deaf || s.room() > 0
	}
	s.canWrite = func() bool { return s.closed || !s.busy && s.canGoOn() }
	s.canAccept = func() bool { return s.closed || s.reading.passed || len(s.queue) > 0 }
	return s
}

// Local is where the socket is, Remote where its peer is.
func (s *Socket) Local() Addr  { return s.local }
func (s *Socket) Remote() Addr { return s.remote }

// on is the object of the operations of a socket.
func (s *Socket) on() *sched.Object {
	if s.listens || s.datagrams {
		return &network.object
	}
	return &s.object
}

// refresh closes a socket of another execution.
func (s *Socket) refresh() {
	if !s.listens && s.object.Fresh() && s.used {
		s.closed = true
	}
	s.used = true
}

// room is how many bytes the peer's stream can still take.
func (s *Socket) room() int { return s.limit - len(s.peer.in.bytes) }

// Read is that of a net.Conn.
func (s *Socket) Read(p []byte) (int, error) {
	if s.datagrams {
		n, _, err := s.take("read", p)
		return n, err
	}
	s.refresh()
	if len(p) == 0 && !s.closed {
		return 0, nil
	}
	sched.Do(sched.Op{Kind: sched.KindStore, Obj: &s.object, Enabled: s.canRead, What: "Conn.Read"})
	switch {
	case s.closed:
		return 0, ErrClosed
	case s.reading.passed:
		return 0, errDeadline
	case len(s.in.bytes) > 0:
		n := copy(p, s.in.bytes)
		if s.in.bytes = s.in.bytes[n:]; len(s.in.bytes) == 0 {
			s.in.bytes = nil
		}
		sched.Acquire(&s.in.sent)
		sched.Write(unsafe.Pointer(&p[0]), uintptr(n))
		return n, nil
	case s.broken != nil:
		return 0, os.NewSyscallError("read", s.tell())
	}
	sched.Acquire(&s.in.sent)
	return 0, io.EOF
}

// tell is what has happened to the connection. It is told once.
func (s *Socket) tell() error {
	err := s.broken
	s.broken = nil
	return err
}

// Write is that of a net.Conn.
func (s *Socket) Write(p []byte) (n int, err error) {
	if s.datagrams {
		return s.send("write", p, s.remote)
	}
	s.refresh()
	if len(p) > 0 {
		sched.Read(unsafe.Pointer(&p[0]), uintptr(len(p)))
	}
	sched.Do(sched.Op{Kind: sched.KindStore, Obj: &s.object, Enabled: s.canWrite, What: "Conn.Write"})
	for {
		some, err := s.put(p[n:])
		if n += some; err != nil || n == len(p) {
			s.busy = false
			return n, err
		}
		s.busy = true
		sched.Do(sched.Op{Kind: sched.KindStore, Obj: &s.object, Enabled: s.canGoOn, What: "Conn.Write"})
	}
}

// put writes what there is room for.
func (s *Socket) put(p []byte) (int, error) {
	switch {
	case s.closed:
		return 0, ErrClosed
	case s.writing.passed:
		return 0, errDeadline
	case len(p) == 0:
		return 0, nil
	case s.broken != nil && !s.local.unix():
		return 0, os.NewSyscallError("write", s.tell())
	case s.mute || s.dead || s.gone, s.local.unix() && (s.peer.closed || s.peer.deaf):
		return 0, os.NewSyscallError("write", syscall.EPIPE)
	case s.peer.closed, s.peer.mute && s.peer.deaf: // which answers that it is not there
		s.gone = true
		s.peer.reset()
		return len(p), nil
	}
	sched.Release(&s.peer.in.sent)
	n := min(len(p), s.room())
	s.peer.in.bytes = append(s.peer.in.bytes, p[:n]...)
	return n, nil
}

// step makes a step of the socket that never waits.
func (s *Socket) step(what string) {
	s.refresh()
	sched.Do(sched.Op{Kind: sched.KindStore, Obj: s.on(), What: what})
}

// Close is that of a net.Conn or a net.Listener.
func (s *Socket) Close() error {
	s.step("Close")
	if s.closed {
		return ErrClosed
	}
	s.closed = true
	switch {
	case s.datagrams:
		s.shut()
	case s.listens:
		for _, c := range s.leave() {
			c.step("reset of a connection that nobody accepted")
			c.breakOff()
		}
	case len(s.in.bytes) > 0 && !s.dead || s.abrupt && !s.local.unix():
		s.in.bytes = nil
		s.breakOff()
	default:
		s.peer.in.ended = true
	}
	s.reading.stop()
	s.writing.stop()
	return nil
}

// breakOff closes s so that its peer is told that the connection was reset.
func (s *Socket) breakOff() {
	s.closed = true
	s.peer.reset()
}

// reset ends the connection at s, which is told when it is used.
func (s *Socket) reset() {
	if s.closed || s.dead {
		return
	}
	s.dead, s.broken = true, syscall.ECONNRESET
	if s.in.ended && !s.local.unix() {
		s.broken = syscall.EPIPE
	}
}

// CloseRead and CloseWrite shut one way down.
func (s *Socket) CloseRead() error {
	s.step("CloseRead")
	if err := s.shuts(); err != nil {
		return err
	}
	s.deaf = true
	return nil
}

// CloseWrite is described at CloseRead.
func (s *Socket) CloseWrite() error {
	s.step("CloseWrite")
	if err := s.shuts(); err != nil {
		return err
	}
	s.mute = true
	s.peer.in.ended = true
	return nil
}

// shuts is why no way of the connection can be shut down.
func (s *Socket) shuts() error {
	switch {
	case s.closed:
		return ErrClosed
	case s.local.unix() && !s.listens:
		return nil
	case s.dead || s.listens || s.gone, s.mute && (s.peer.mute || s.peer.closed): // both ways have ended
		return os.NewSyscallError("shutdown", syscall.ENOTCONN)
	}
	return nil
}

// SetLinger is that of a net.TCPConn.
func (s *Socket) SetLinger(seconds int) error {
	s.step("SetLinger")
	if s.closed {
		return ErrClosed
	}
	s.abrupt = seconds == 0
	return nil
}

// Readable reports whether a Read would not wait.
func (s *Socket) Readable() bool { return s.canRead() }
