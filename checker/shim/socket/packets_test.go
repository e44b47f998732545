package socket_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/shim/socket"
)

// A packetCall is one of a script with three sockets, of which the last one is connected
// to the first: what is done with which, and to whom it is sent.
type packetCall struct {
	end, to int
	name    string
	n       int // bytes, or which deadline
}

// A packetEnd is what a script does with a socket of UDP.
type packetEnd interface {
	Read(p []byte) (int, error)
	Write(p []byte) (int, error)
	Close() error
	expire(which int) error
	send(p []byte, to int) (int, error)
}

type packetsInMemory struct {
	inMemory
	to []socket.Addr
}

func (e packetsInMemory) send(p []byte, to int) (int, error) { return e.WriteTo(p, e.to[to]) }

type packetsOfKernel struct {
	*net.UDPConn
	to []*net.UDPAddr
}

func (e packetsOfKernel) send(p []byte, to int) (int, error) { return e.WriteToUDP(p, e.to[to]) }

func (e packetsOfKernel) expire(which int) error {
	switch which {
	case socket.ForRead:
		return e.SetReadDeadline(time.Unix(1, 0))
	case socket.ForWrite:
		return e.SetWriteDeadline(time.Unix(1, 0))
	}
	return e.SetDeadline(time.Time{})
}

// do makes a call and says what came of it.
func (c packetCall) do(e packetEnd) string {
	n, err, p := 0, error(nil), []byte(strings.Repeat(string(rune('a'+c.end)), c.n))
	switch {
	case c.name == "read":
		n, err = e.Read(p)
	case c.name == "close":
		err = e.Close()
	case c.name == "expire":
		err = e.expire(c.n)
	case c.to < 0:
		n, err = e.Write(p)
	default:
		n, err = e.send(p, c.to)
	}
	if operation := (*net.OpError)(nil); errors.As(err, &operation) {
		err = operation.Err // without the addresses
	}
	return fmt.Sprintf("%d %q %v", n, p[:n], err)
}

// packetScript makes random calls in memory, none of which waits.
func packetScript(t *testing.T, random *rand.Rand) (calls []packetCall, results []string) {
	r, err := explore.Explore(nil, explore.Search{Strategy: "dfs", Preemptions: -1}, func() {
		at := socket.Addr{IP: netip.AddrFrom4([4]byte{127, 0, 0, 1})}
		ends := make([]*socket.Socket, 3)
		var to []socket.Addr
		for i := range ends {
			peer := socket.Addr{}
			if i == 2 {
				peer = to[0]
			}
			s, err := socket.Open(at, peer, false)
			if err != nil {
				panic(err)
			}
			ends[i], to = s, append(to, s.Local())
		}
		for len(calls) < 14 {
			c := packetCall{end: random.IntN(3), to: random.IntN(3), name: "send", n: 1 + random.IntN(4)}
			switch random.IntN(8) {
			case 0, 1, 2:
				if c.name = "read"; !ends[c.end].Readable() {
					continue
				}
			case 3:
				c.name, c.n = "expire", random.IntN(3)
			case 4:
				if c.name = "close"; len(calls) < 6 {
					continue
				}
			default:
				if c.end == 2 || random.IntN(6) == 0 {
					c.to = -1 // where it is connected to, if it is
				}
			}
			calls = append(calls, c)
			results = append(results, c.do(packetsInMemory{inMemory{ends[c.end]}, to}))
		}
	})
	if err != nil || r.Verdict != explore.Exhausted || r.Executions != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	return calls, results
}

// A script of calls with packets has the results that the kernel has for it.
func TestPacketsAreAsInTheKernel(t *testing.T) {
	for seed := range uint64(200) {
		calls, results := packetScript(t, rand.New(rand.NewPCG(seed, 42)))
		ends := make([]packetEnd, 3)
		var to []*net.UDPAddr
		for i := range ends {
			var peer *net.UDPAddr
			if i == 2 {
				peer = to[0]
			}
			c, err := openPackets(peer)
			if err != nil {
				t.Skip("no such network: ", err)
			}
			defer c.Close()
			to = append(to, c.LocalAddr().(*net.UDPAddr))
			ends[i] = packetsOfKernel{c, to}
		}
		for i := range ends {
			ends[i] = packetsOfKernel{ends[i].(packetsOfKernel).UDPConn, to}
		}
		var done []string
		for i, c := range calls {
			got := c.do(ends[c.end])
			if done = append(done, fmt.Sprintf("%d to %d: %s %d: %s", c.end, c.to, c.name, c.n, got)); got != results[i] {
				t.Errorf("seed %d:\n%s\nin memory: %s", seed, strings.Join(done, "\n"), results[i])
				break
			}
		}
	}
}

func openPackets(peer *net.UDPAddr) (*net.UDPConn, error) {
	if peer != nil {
		return net.DialUDP("udp4", nil, peer)
	}
	return net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
}

// What is sent before a packet happens before what follows its receipt.
func TestPacketsOrder(t *testing.T) {
	neverFails(t, 1000, func() {
		at := socket.Addr{IP: netip.AddrFrom4([4]byte{127, 0, 0, 1})}
		server, err := socket.Open(at, socket.Addr{}, false)
		if err != nil {
			t.Error(err)
		}
		client, err := socket.Open(at, server.Local(), false)
		if err != nil {
			t.Error(err)
		}
		x := 0
		sched.Go(func() {
			*sched.W(&x) = 1
			client.Write([]byte("x"))
		})
		p := make([]byte, 2)
		if n, from, err := server.ReadFrom(p); n != 1 || from != client.Local() || err != nil || *sched.R(&x) != 1 {
			t.Error(n, from, err, x)
		}
	})
}
