package sched

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// serve is code outside control that calls f in goroutines of its own.
type serve struct{ calls chan func() }

func newServe() *serve {
	s := &serve{make(chan func())}
	go func() {
		for f := range s.calls {
			go f()
		}
	}()
	return s
}

// call has f called and returns when it has returned.
func (s *serve) call(f func()) {
	done := make(chan bool)
	s.calls <- func() { defer close(done); f() }
	<-done
}

// requests makes two requests at the same time, and waits for both.
func requests(s *serve, handle func()) {
	done := MakeChan[bool](2)
	for range 2 {
		Go(func() {
			s.call(handle)
			Send(done, true)
		})
	}
	Recv(done)
	Recv(done)
}

// Handlers that another package calls are under control: a race between two of
// them is found, and its schedule replays.
func TestRaceOfHandlers(t *testing.T) {
	s := newServe()
	defer close(s.calls)
	n := new(int)
	body := func() { requests(s, func() { *W(n)++ }) }
	x := Run(first{}, Options{}, body)
	if x.Failure == nil || x.Failure.Kind != Race || len(x.Environment) == 0 {
		t.Fatalf("%+v", x)
	}
	choices, err := ParseChoices(FormatChoices(x.Choices))
	if err != nil || !slices.Equal(choices, x.Choices) {
		t.Fatalf("%v: %v, want %v", err, choices, x.Choices)
	}
	if y := again(t, choices, body); y.Failure == nil || y.Failure.Signature != x.Failure.Signature {
		t.Errorf("%+v", y.Failure)
	}
}

// A goroutine that waits in a pipe lets others go on, and comes back.
func TestGoroutineComesBack(t *testing.T) {
	var order []string
	x := Run(first{}, Options{}, func() {
		r, w, err := os.Pipe()
		if err != nil {
			Fail(err.Error())
		}
		defer r.Close()
		Go(func() {
			order = append(order, "write")
			w.Write([]byte("x"))
			w.Close()
		})
		r.Read(make([]byte, 1))
		order = append(order, "read")
		Yield()
	})
	if x.Failure != nil || !reflect.DeepEqual(order, []string{"write", "read"}) || !reflect.DeepEqual(x.Environment, []string{"os"}) {
		t.Errorf("%+v, %v, environment %q", x.Failure, order, x.Environment)
	}
}

// Goroutines that are left of an execution do not enter later ones.
func TestLateHandlerEnds(t *testing.T) {
	s := newServe()
	defer close(s.calls)
	release, late := make(chan bool), make(chan bool)
	x := Run(first{}, Options{StepTime: 50 * time.Millisecond}, func() {
		s.call(func() {
			defer close(late)
			Yield()
			<-release
			Yield()
			panic("went on")
		})
	})
	if x.Failure == nil || x.Failure.Kind != Uncontrolled {
		t.Errorf("%+v", x.Failure)
	}
	y := Run(first{}, Options{}, func() {
		close(release)
		<-late
		Yield()
	})
	if y.Failure != nil {
		t.Errorf("%+v", y.Failure)
	}
}

// What code outside control sends on a channel that was given to it arrives.
func TestSharedChannelReceives(t *testing.T) {
	body := func() {
		c := MakeChan[os.Signal](1)
		send := func(c chan os.Signal) { go func() { c <- os.Interrupt }() }
		Shares(send, "a.go:1: gives a channel to send")(c)
		late := MakeChan[bool](1)
		NewTimer(time.Minute, func() { Send(late, true) })
		if Select(From(c), From(late)) != 0 {
			Fail("late")
		}
	}
	x := Run(first{}, Options{}, body)
	if x.Failure != nil {
		t.Errorf("%+v", x.Failure)
	}
	if y := again(t, x.Choices, body); y.Failure != nil {
		t.Errorf("%+v", y.Failure)
	}
}

// The package that is named is the one that a reader knows.
func TestOutsidePackage(t *testing.T) {
	const net = `goroutine 7 [IO wait]:
internal/poll.runtime_pollWait(0x1, 0x72)
	LIBruntime/netpoll.go:351 +0x85
internal/poll.(*FD).Read(0xc000)
	LIBinternal/poll/fd_unix.go:165 +0x279
net.(*conn).Read(0xc000)
	LIBnet/net.go:196 +0x45
bufio.(*Reader).ReadString(...)
	LIBbufio/bufio.go:502 +0x1
example.com/a.TestA(0xc000)
	/a/a_test.go:3 +0x1
created by x in goroutine 1
	/x.go:1`
	const exec = `goroutine 7 [syscall]:
syscall.Syscall6(0x1)
	LIBsyscall/syscall_linux.go:96 +0x85
os.(*Process).Wait(...)
	LIBos/exec.go:358
os/exec.(*Cmd).Wait(0xc000)
	LIBos/exec/exec.go:922 +0x45
example.com/a.TestA(0xc000)
	/a/a_test.go:3 +0x1`
	const file = `goroutine 7 [IO wait]:
internal/poll.runtime_pollWait(0x1, 0x72)
	LIBruntime/netpoll.go:351 +0x85
os.(*File).Read(0xc000)
	LIBos/file.go:144 +0x45
example.com/a.TestA(0xc000)
	/a/a_test.go:3 +0x1`
	for stack, want := range map[string]string{net: "net", exec: "os/exec", file: "os"} {
		if got := outsidePackage(strings.ReplaceAll(stack, "LIB", library)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
