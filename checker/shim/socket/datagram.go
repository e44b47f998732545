package socket

import (
	"net/netip"
	"os"
	"slices"
	"syscall"
	"unsafe"

	"mendel/checker/sched"
)

// A packet is what one call has sent.
type packet struct {
	bytes []byte
	from  Addr
}

// Open makes a socket of UDP at an address. To is that of the only one that it speaks
// with, or not valid. One at "::" is dual if it takes IPv4, too.
func Open(at, to Addr, dual bool) (*Socket, error) {
	defer step("net.ListenPacket", nil)()
	if at.Port == 0 {
		at.Port = nextPort(network.open)
	}
	if slices.ContainsFunc(network.open, func(o *Socket) bool { return at.conflicts(dual, o) }) {
		return nil, syscall.EADDRINUSE
	}
	s := newSocket(&connection{}, at, to)
	s.datagrams, s.dual = true, dual
	s.canRead = func() bool { return s.closed || s.reading.passed || len(s.packets) > 0 || s.broken != nil }
	network.open = append(network.open, s)
	network.knownOpen = append(network.knownOpen, at)
	return s, nil
}

// KnownOpen reports whether somebody has opened a socket of UDP at a port in the running
// execution.
func KnownOpen(at Addr) bool {
	defer renew()()
	return slices.ContainsFunc(network.knownOpen, func(k Addr) bool { return at.Port == k.Port })
}

// ReadFrom is that of a net.PacketConn. What of a packet has no room is lost.
func (s *Socket) ReadFrom(p []byte) (int, Addr, error) { return s.take("recvfrom", p) }

// take is ReadFrom by a system call.
func (s *Socket) take(call string, p []byte) (int, Addr, error) {
	s.refresh()
	next, err := s.next(call)
	n := copy(p, next.bytes)
	if n > 0 {
		sched.Write(unsafe.Pointer(&p[0]), uintptr(n))
	}
	return n, next.from, err
}

// next takes the next packet.
func (s *Socket) next(call string) (packet, error) {
	defer step("PacketConn.ReadFrom", s.canRead)()
	switch {
	case s.closed:
		return packet{}, ErrClosed
	case s.reading.passed:
		return packet{}, errDeadline
	case s.broken != nil:
		return packet{}, os.NewSyscallError(call, s.tell())
	case len(s.packets) == 0:
		return packet{}, ErrClosed // outside control
	}
	next := s.packets[0]
	s.packets = s.packets[1:]
	sched.Acquire(&s.in.sent)
	return next, nil
}

// WriteTo is that of a net.PacketConn. A packet that has no room at the other end is lost.
func (s *Socket) WriteTo(p []byte, to Addr) (int, error) { return s.send("sendto", p, to) }

// send is WriteTo by a system call.
func (s *Socket) send(call string, p []byte, to Addr) (int, error) {
	s.refresh()
	if len(p) > 0 {
		sched.Read(unsafe.Pointer(&p[0]), uintptr(len(p)))
	}
	defer step("PacketConn.WriteTo", nil)()
	switch {
	case s.closed:
		return 0, ErrClosed
	case s.writing.passed:
		return 0, errDeadline
	case s.broken != nil:
		return 0, os.NewSyscallError(call, s.tell())
	case !to.IP.IsValid():
		return 0, os.NewSyscallError(call, syscall.EDESTADDRREQ)
	case len(p) > longestPacket:
		return 0, os.NewSyscallError(call, syscall.EMSGSIZE)
	}
	from := s.local
	if from.IP.IsUnspecified() {
		from.IP = to.IP
	}
	switch other := receiver(from, to); {
	case other != nil:
		other.receive(p, from)
	case s.remote.IP.IsValid():
		s.broken = syscall.ECONNREFUSED
	}
	return len(p), nil
}

// longestPacket is the longest that IPv4 has.
const longestPacket = 65507

// receiver is the socket that takes packets from one address to another, which it may
// have been opened for alone; nil if there is none.
func receiver(from, to Addr) *Socket {
	var found *Socket
	for _, o := range network.open {
		switch {
		case !to.reaches(o):
		case o.remote == from:
			return o
		case !o.remote.IP.IsValid() && (found == nil || found.local.IP.IsUnspecified()):
			found = o
		}
	}
	return found
}

// receive keeps a packet until it is read.
func (s *Socket) receive(p []byte, from Addr) {
	held := len(p)
	for _, other := range s.packets {
		held += len(other.bytes)
	}
	if held > unixLimit {
		return
	}
	sched.Release(&s.in.sent)
	s.packets = append(s.packets, packet{slices.Clone(p), from})
}

// shut closes a socket of UDP. The caller has made a step.
func (s *Socket) shut() {
	network.Lock()
	defer network.Unlock()
	network.open = slices.DeleteFunc(network.open, func(o *Socket) bool { return o == s })
	s.packets = nil
}

// Loopback is the loopback address of a kind.
func Loopback(four bool) netip.Addr {
	if four {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return netip.IPv6Loopback()
}
