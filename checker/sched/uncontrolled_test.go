package sched

import (
	"context"
	"runtime"
	"strings"
	"testing"
)

// strange is a context of an own kind: package context waits for it in a goroutine.
type strange struct {
	context.Context
	done chan struct{}
}

func (s strange) Done() <-chan struct{} { return s.done }

// An uncontrolled goroutine may wake goroutines that wait.
func TestForeignGoroutineIsNoDeadlock(t *testing.T) {
	Run(first{}, Options{}, func() {}) // daemons are what was there before
	cancel := func() {}
	defer func() {
		cancel()
		for uncontrolledGoroutine() != "" { // or later tests would meet it
			runtime.Gosched()
		}
	}()
	x := Run(first{}, Options{}, func() {
		_, cancel = context.WithCancel(strange{context.Background(), make(chan struct{})})
		Recv(MakeChan[bool](0))
	})
	if x.Failure == nil || x.Failure.Kind != Uncontrolled || !strings.Contains(x.Failure.Message, "in context.") {
		t.Errorf("%+v", x.Failure)
	}
}

func TestDeadlockWithoutForeignGoroutine(t *testing.T) {
	x := Run(first{}, Options{}, func() { Recv(MakeChan[bool](0)) })
	if x.Failure == nil || x.Failure.Kind != Deadlock {
		t.Errorf("%+v", x.Failure)
	}
}

// The parts of a dump that count.
func TestForeign(t *testing.T) {
	const dump = `goroutine 1 [chan receive]:
testing.(*T).Run(0xc000)
	/go/src/testing/testing.go:1
main.main()
	_testmain.go:1

goroutine 7 [select]:
net/http.(*persistConn).readLoop(0xc0001)
	/go/src/net/http/transport.go:1
created by net/http.(*Transport).dialConn in goroutine 8
	/go/src/net/http/transport.go:2

goroutine 8 [chan receive]:
HOMEsched.(*goroutine).park(0xc0002)
	/go/src/x/sched/goroutine.go:1
example.com/bank.Transfer()
	/bank.go:1
created by HOMEsched.(*goroutine).resume in goroutine 7
	/go/src/x/sched/goroutine.go:2

goroutine 9 [syscall]:
os/signal.signal_recv()
	/go/src/runtime/sigqueue.go:1
created by os/signal.Notify.func1.1 in goroutine 8
	/go/src/os/signal/signal.go:1
`
	var got []string
	for _, stack := range uncontrolledStacks(strings.ReplaceAll(dump, "HOME", home)) {
		got = append(got, number([]byte(stack)))
	}
	if strings.Join(got, " ") != "7 9" {
		t.Errorf("goroutines %v are uncontrolled, want 7 and 9", got)
	}
}

// A goroutine that waits on a channel that was given away may not be blocked for
// ever.
func TestSharedChannelIsNoDeadlock(t *testing.T) {
	x := Run(first{}, Options{}, func() {
		c := MakeChan[bool](0)
		Shares(func(chan bool) {}, "a.go:1: gives a channel to f")(c)
		Recv(c)
	})
	if x.Failure == nil || x.Failure.Kind != Uncontrolled || !strings.Contains(x.Failure.Message, "a.go:1") {
		t.Errorf("%+v", x.Failure)
	}
}
