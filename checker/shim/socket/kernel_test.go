package socket_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mendel/checker/sched/explore"
	"mendel/checker/shim/socket"
)

// An end is what a script does with one end of a connection.
type end interface {
	Read(p []byte) (int, error)
	Write(p []byte) (int, error)
	Close() error
	CloseRead() error
	CloseWrite() error
	SetLinger(seconds int) error
	expire(which int) error // sets a deadline that has passed, or with 0 none
}

// inMemory is an end in memory.
type inMemory struct{ *socket.Socket }

func (e inMemory) expire(which int) error {
	if which == 0 {
		return e.SetDeadline(time.Time{}, socket.ForRead|socket.ForWrite)
	}
	return e.SetDeadline(time.Unix(1, 0), which)
}

// ofKernel is an end that the kernel has.
type ofKernel struct{ conn }

// A conn is a *net.TCPConn or a *net.UnixConn.
type conn interface {
	net.Conn
	CloseRead() error
	CloseWrite() error
}

func (e ofKernel) SetLinger(seconds int) error {
	if tcp, ok := e.conn.(*net.TCPConn); ok {
		return tcp.SetLinger(seconds)
	}
	return nil
}

func (e ofKernel) expire(which int) error {
	switch which {
	case socket.ForRead:
		return e.SetReadDeadline(time.Unix(1, 0))
	case socket.ForWrite:
		return e.SetWriteDeadline(time.Unix(1, 0))
	}
	return e.SetDeadline(time.Time{})
}

// A call is one of a script: what is done with which end.
type call struct {
	end  int
	name string
	n    int // bytes, or which deadline
}

// do makes a call and says what came of it.
func (c call) do(e end) string {
	n, err := 0, error(nil)
	text := ""
	switch c.name {
	case "read":
		p := make([]byte, c.n)
		n, err = e.Read(p)
		text = string(p[:n])
	case "write":
		n, err = e.Write([]byte(strings.Repeat(string(rune('a'+c.end)), c.n)))
	case "close":
		err = e.Close()
	case "close read":
		err = e.CloseRead()
	case "close write":
		err = e.CloseWrite()
	case "linger":
		err = e.SetLinger(0)
	case "expire":
		err = e.expire(c.n)
	}
	if operation := (*net.OpError)(nil); errors.As(err, &operation) {
		err = operation.Err // without the addresses
	}
	return fmt.Sprintf("%d %q %v", n, text, err)
}

// script makes random calls of the ends of some connections in memory, none of which
// waits, and returns them with what came of them.
func script(random *rand.Rand, at socket.Addr, connections, length int) (calls []call, results []string) {
	body := func() {
		calls, results = nil, nil
		l, err := socket.Listen(at, false)
		if err != nil {
			panic(err)
		}
		var ends []*socket.Socket
		for range connections {
			near, err := socket.Dial(at, l.Local())
			if err != nil {
				panic(err)
			}
			far, err := l.Accept()
			if err != nil {
				panic(err)
			}
			ends = append(ends, near, far)
		}
		names := []string{"read", "read", "read", "write", "write", "write", "close", "close read", "close write", "linger", "expire"}
		for len(calls) < length {
			c := call{random.IntN(len(ends)), names[random.IntN(len(names))], random.IntN(3)}
			switch c.name {
			case "read":
				c.n = 1 + random.IntN(4)
				if !ends[c.end].Readable() {
					continue
				}
			case "write":
				c.n = 1 + random.IntN(4)
			case "linger":
				if at.Path != "" {
					continue // is of TCP
				}
			}
			calls = append(calls, c)
			results = append(results, c.do(inMemory{ends[c.end]}))
		}
	}
	r, err := explore.Explore(nil, explore.Search{Strategy: "dfs", Preemptions: -1}, body)
	if err != nil || r.Verdict != explore.Exhausted || r.Executions != 1 {
		panic(fmt.Sprintf("%+v, %v", r, err))
	}
	return calls, results
}

// A script of calls has the results that the kernel has for it.
func TestScriptsAreAsInTheKernel(t *testing.T) {
	for network, at := range map[string]socket.Addr{
		"tcp":  {IP: netip.AddrFrom4([4]byte{127, 0, 0, 1})},
		"unix": {Path: "x"},
	} {
		t.Run(network, func(t *testing.T) {
			address := "127.0.0.1:0"
			if network == "unix" {
				address = filepath.Join(t.TempDir(), "s")
			}
			l, err := net.Listen(network, address)
			if err != nil {
				t.Skip("no such network: ", err)
			}
			defer l.Close()
			for seed := range uint64(200) {
				compare(t, l, at, seed)
			}
		})
	}
}

// compare makes a script in memory and by the kernel.
func compare(t *testing.T, l net.Listener, at socket.Addr, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 42))
	calls, results := script(random, at, 2+random.IntN(3), 12)
	ends := kernelEnds(t, l, calls)
	defer func() {
		for _, e := range ends {
			e.Close()
		}
	}()
	var done []string
	for i, c := range calls {
		got := c.do(ends[c.end])
		done = append(done, fmt.Sprintf("%d: %s %d: %s", c.end, c.name, c.n, got))
		if got != results[i] {
			t.Errorf("seed %d:\n%s\nin memory: %s", seed, strings.Join(done, "\n"), results[i])
			return
		}
	}
}

// kernelEnds are the ends of as many connections as some calls need.
func kernelEnds(t *testing.T, l net.Listener, calls []call) (ends []end) {
	most := 0
	for _, c := range calls {
		most = max(most, c.end)
	}
	for len(ends) <= most {
		near, err := net.Dial(l.Addr().Network(), l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		far, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, ofKernel{near.(conn)}, ofKernel{far.(conn)})
	}
	return ends
}
