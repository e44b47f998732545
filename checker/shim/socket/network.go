package socket

import (
	"fmt"
	"net/netip"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	gosync "sync"
	"syscall"

	"mendel/checker/sched"
)

// An Addr is where a socket is.
type Addr struct {
	IP   netip.Addr // not valid: a Unix socket
	Port int
	Path string // of a Unix socket; "" has no name
}

// unix reports whether an address is one of a Unix socket.
func (a Addr) unix() bool { return !a.IP.IsValid() }

// reaches reports whether who dials an address comes to a listener. One at the address
// "::" may take IPv4, too.
func (a Addr) reaches(l *Socket) bool {
	at := l.local
	switch {
	case a.unix() || at.unix():
		return a.unix() && at.unix() && a.Path == at.Path
	case a.Port != at.Port:
		return false
	case at.IP == a.IP:
		return true
	}
	return at.IP.IsUnspecified() && (at.IP.Is4() == a.IP.Is4() || l.dual)
}

// conflicts reports whether nobody can listen at an address beside a listener.
func (a Addr) conflicts(dual bool, l *Socket) bool {
	at := l.local
	switch {
	case a.unix() || at.unix() || a.Port != at.Port:
		return a.unix() && at.unix() && a.Path != "" && a.Path == at.Path
	case a.IP.Is4() == at.IP.Is4():
		return a.IP == at.IP || a.IP.IsUnspecified() || at.IP.IsUnspecified()
	}
	return a.IP.IsUnspecified() && dual || at.IP.IsUnspecified() && l.dual
}

// The network of the running execution.
var network struct {
	gosync.Mutex // of what is below: other goroutines may ask, too; never held at a step
	object       sched.Object
	listeners    []*Socket
	known        []Addr    // at which somebody has listened
	port         int       // that was given out last
	open         []*Socket // of UDP
	knownOpen    []Addr    // at which somebody has opened one
}

// firstPort is where the ports begin that are given to who asks for any. Guessed: as Linux
// does it.
const firstPort = 32768

// step makes a step of the network, and takes its lock. At the begin of an execution the
// network is empty.
func step(what string, enabled func() bool) (end func()) {
	known := renew()
	known()
	sched.Do(sched.Op{Kind: sched.KindStore, Obj: &network.object, Enabled: enabled, What: what})
	network.Lock()
	return network.Unlock
}

// renew takes the lock of the network, and forgets what another execution has left.
func renew() (end func()) {
	network.Lock()
	if network.object.Fresh() {
		network.listeners, network.known, network.port = nil, nil, firstPort-1
		network.open, network.knownOpen = nil, nil
	}
	return network.Unlock
}

// Active reports whether the caller is under control.
func Active() bool { return sched.Active() }

// nextPort gives a port out that none of some sockets has.
func nextPort(taken []*Socket) int {
	for {
		network.port++
		if !slices.ContainsFunc(taken, func(l *Socket) bool { return !l.local.unix() && l.local.Port == network.port }) {
			return network.port
		}
	}
}

// Listen makes a listener. One at "::" is dual if it takes IPv4, too.
func Listen(at Addr, dual bool) (*Socket, error) {
	defer step("net.Listen", nil)()
	if !at.unix() && at.Port == 0 {
		at.Port = nextPort(network.listeners)
	}
	if slices.ContainsFunc(network.listeners, func(l *Socket) bool { return at.conflicts(dual, l) }) {
		return nil, syscall.EADDRINUSE
	}
	l := newSocket(&connection{}, at, Addr{})
	l.listens, l.dual = true, dual
	network.listeners = append(network.listeners, l)
	network.known = append(network.known, at)
	return l, nil
}

// Known reports whether somebody has listened at an address in the running execution, so
// that who dials it stays in memory.
func Known(at Addr) bool {
	defer renew()()
	return slices.ContainsFunc(network.known, func(k Addr) bool {
		if at.unix() || k.unix() {
			return at.unix() && k.unix() && at.Path == k.Path
		}
		return at.Port == k.Port
	})
}

// Dial connects to a listener. From is the address of the caller; its port may be 0.
func Dial(from, to Addr) (*Socket, error) {
	defer step("net.Dial", nil)()
	i := slices.IndexFunc(network.listeners, to.reaches)
	if i < 0 {
		return nil, syscall.ECONNREFUSED
	}
	l := network.listeners[i]
	if !to.unix() && from.Port == 0 {
		from.Port = nextPort(network.listeners)
	}
	c := &connection{}
	near, far := newSocket(c, from, to), newSocket(c, to, from)
	if l.local.unix() {
		near.limit, far.limit = unixLimit, unixLimit
	}
	near.peer, far.peer = far, near
	l.queue = append(l.queue, far)
	return near, nil
}

// Accept returns the next connection to a listener.
func (s *Socket) Accept() (*Socket, error) {
	defer step("Listener.Accept", s.canAccept)()
	switch {
	case s.closed:
		return nil, ErrClosed
	case s.reading.passed:
		return nil, errDeadline
	case len(s.queue) == 0:
		return nil, ErrClosed // outside control
	}
	c := s.queue[0]
	s.queue = s.queue[1:]
	return c, nil
}

// leave ends a listener, and returns the connections that nobody has accepted.
func (s *Socket) leave() []*Socket {
	network.Lock()
	defer network.Unlock()
	network.listeners = slices.DeleteFunc(network.listeners, func(l *Socket) bool { return l == s })
	left := s.queue
	s.queue = nil
	return left
}

// Leave notes that a socket is one of the operating system, which is not under control.
func Leave(what string) { sched.UncontrolledCall(0, place()+what) }

// GiveUp ends the execution: what the program asks for cannot be.
func GiveUp(what string) { sched.GiveUp(place() + what) }

// place is where the program asks for a socket: "x.go:12: ".
func place() string {
	var calls [32]uintptr
	frames := runtime.CallersFrames(calls[:runtime.Callers(3, calls[:])])
	for {
		f, more := frames.Next()
		pkg, _, _ := strings.Cut(f.Function[strings.LastIndex(f.Function, "/")+1:], ".")
		if !more || pkg != "net" && pkg != "http" && pkg != "httptest" && pkg != "socket" {
			return fmt.Sprintf("%s:%d: ", filepath.Base(f.File), f.Line)
		}
	}
}
