package socket_test

import (
	"io"
	"net/netip"
	"os"
	"testing"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/shim/socket"
)

// pair is a connection in memory.
func pair(t *testing.T) (near, far *socket.Socket) {
	at := socket.Addr{IP: netip.AddrFrom4([4]byte{127, 0, 0, 1})}
	l, err := socket.Listen(at, false)
	if err != nil {
		t.Fatal(err)
	}
	if near, err = socket.Dial(at, l.Local()); err != nil {
		t.Fatal(err)
	}
	if far, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	return near, far
}

// neverFails runs a body under many schedules, none of which may fail.
func neverFails(t *testing.T, executions int, body func()) {
	t.Helper()
	for _, strategy := range []string{"dfs", "random", "pos"} {
		r, err := explore.Explore(nil, explore.Search{Strategy: strategy, Preemptions: 2, Executions: executions}, body)
		if err != nil || len(r.Failures) > 0 {
			t.Fatalf("%s: %+v, %v", strategy, r, err)
		}
	}
}

// A read ends by data or by its deadline, whoever moves the deadline meanwhile; never as
// if the connection had ended.
func TestDeadlinesThatAreMoved(t *testing.T) {
	neverFails(t, 1000, func() {
		near, far := pair(t)
		soon := func() time.Time { return sched.Start().Add(sched.Now() + time.Millisecond) }
		near.SetDeadline(soon(), socket.ForRead)
		for range 2 {
			sched.Go(func() {
				for range 2 {
					if _, err := near.Read(make([]byte, 1)); err == io.EOF {
						t.Error("end of a connection that nobody has closed")
					} else if err != nil {
						near.SetDeadline(soon(), socket.ForRead)
					}
				}
			})
		}
		far.Write([]byte("x"))
	})
}

// What is written before happens before what follows the read.
func TestReadingOrders(t *testing.T) {
	neverFails(t, 1000, func() {
		near, far := pair(t)
		x := 0
		sched.Go(func() {
			*sched.W(&x) = 1
			near.Write([]byte("x"))
		})
		if n, err := far.Read(make([]byte, 1)); n != 1 || err != nil || *sched.R(&x) != 1 {
			t.Error(n, err, x)
		}
	})
}

// A dialled connection orders nothing.
func TestDiallingDoesNotOrder(t *testing.T) {
	at := socket.Addr{IP: netip.AddrFrom4([4]byte{127, 0, 0, 1})}
	r, err := explore.Explore(nil, explore.Search{Strategy: "dfs", Preemptions: 1}, func() {
		l, err := socket.Listen(at, false)
		if err != nil {
			t.Error(err)
		}
		x := 0
		sched.Go(func() {
			*sched.W(&x) = 1
			socket.Dial(at, l.Local())
		})
		l.Accept()
		_ = *sched.R(&x)
	})
	if err != nil || r.Verdict != explore.Failed || r.Failures[0].Execution.Failure.Kind != sched.Race {
		t.Errorf("%+v, %v", r, err)
	}
}

// A writer waits when nobody reads, and goes on by as much as is read.
func TestFullStream(t *testing.T) {
	neverFails(t, 1, func() {
		near, far := pair(t)
		big := make([]byte, 3<<20)
		near.SetDeadline(sched.Start().Add(sched.Now()+time.Second), socket.ForWrite)
		n, err := near.Write(big)
		if n >= len(big) || !os.IsTimeout(err) { // it may be over before anything is written
			t.Error(n, err)
		}
		near.SetDeadline(time.Time{}, socket.ForWrite)
		done := sched.MakeChan[int](0)
		sched.Go(func() {
			n, err := near.Write(big[:1000])
			if err != nil {
				t.Error(err)
			}
			near.Close()
			sched.Send(done, n)
		})
		all, err := io.ReadAll(far)
		if more := sched.Recv(done); more != 1000 || len(all) != n+more || err != nil {
			t.Error(n, more, len(all), err)
		}
	})
}
