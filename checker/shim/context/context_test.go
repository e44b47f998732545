package context_test

import (
	realcontext "context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/shim/context"
	"mendel/checker/shim/internal/explore"
	"mendel/checker/shim/time"
)

func check(t *testing.T, body func() string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := explore.Outcomes(t, body); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got, ok := explore.Reduced(t, body); ok && !slices.Equal(got, want) {
		t.Errorf("with reduction: got %q\nwant %q", got, want)
	}
}

type key string

var errStop = errors.New("stop")

func TestCancellationReachesDescendants(t *testing.T) {
	check(t, func() string {
		root, cancel := context.WithCancelCause(context.Background())
		middle := context.WithValue(root, key("k"), "v")
		leaf, cancelLeaf := context.WithTimeout(middle, time.Hour)
		defer cancelLeaf()
		n := new(int)
		sched.Go(func() {
			*sched.W(n) = 1
			cancel(errStop)
		})
		sched.Recv(leaf.Done())
		return fmt.Sprint(leaf.Err(), context.Cause(leaf), leaf.Value(key("k")), *sched.R(n), time.Now().Hour())
	}, "context canceled stopv1 0")
}

func TestDeadline(t *testing.T) {
	check(t, func() string {
		begin := time.Now()
		ctx, cancel := context.WithTimeoutCause(context.Background(), time.Second, errStop)
		defer cancel()
		inner, cancelInner := context.WithTimeout(ctx, time.Hour)
		defer cancelInner()
		d, ok := inner.Deadline()
		got := fmt.Sprint(d.Sub(begin), ok, inner.Err())
		sched.Recv(inner.Done())
		return got + fmt.Sprint(" ", time.Since(begin), inner.Err(), context.Cause(inner))
	}, "1.00000001s true <nil> 1.00000004s context deadline exceeded stop")
	check(t, func() string {
		ctx, cancel := context.WithDeadline(context.Background(), time.Now())
		cancel()
		return ctx.Err().Error()
	}, "context deadline exceeded")
}

// Err is not nil once Done is closed, and Done is closed once Err is not nil.
func TestErrAndDoneAgree(t *testing.T) {
	check(t, func() string {
		ctx, cancel := context.WithCancel(context.Background())
		sched.Go(cancel)
		err := ctx.Err()
		closed := sched.SelectDefault(sched.From(ctx.Done())) == 0
		later := ctx.Err()
		return fmt.Sprint(err != nil, closed, later != nil)
	}, "false false false", "false false true", "false true true", "true true true")
}

// When any of two calls of cancel has returned, the children are cancelled.
func TestCancelTwice(t *testing.T) {
	check(t, func() string {
		ctx, cancel := context.WithCancel(context.Background())
		child, cancelChild := context.WithCancel(ctx)
		defer cancelChild()
		sched.Go(cancel)
		cancel()
		return fmt.Sprint(child.Err())
	}, "context canceled")
}

func TestCancelWhileChildIsMade(t *testing.T) {
	check(t, func() string {
		ctx, cancel := context.WithCancel(context.Background())
		sched.Go(cancel)
		child, cancelChild := context.WithCancel(ctx)
		defer cancelChild()
		sched.Recv(child.Done()) // never missed
		return fmt.Sprint(child.Err())
	}, "context canceled")
}

func TestAfterFunc(t *testing.T) {
	check(t, func() string {
		ctx, cancel := context.WithCancel(context.Background())
		called := sched.MakeChan[bool](1)
		stop := context.AfterFunc(ctx, func() { sched.Send(called, true) })
		sched.Go(cancel)
		if stop() {
			return fmt.Sprint("stopped ", stop())
		}
		return fmt.Sprint("called ", sched.Recv(called))
	}, "stopped false", "called true")
}

func TestWithoutCancel(t *testing.T) {
	check(t, func() string {
		ctx, cancel := context.WithCancelCause(context.WithValue(context.TODO(), key("k"), 1))
		free := context.WithoutCancel(ctx)
		cancel(errStop)
		return fmt.Sprint(free.Err(), context.Cause(free), realcontext.Cause(free), free.Done() == nil, free.Value(key("k")))
	}, "<nil> <nil> <nil> true 1")
}

func TestLostCancelLeavesNothingBlocked(t *testing.T) {
	check(t, func() string {
		ctx, cancel := context.WithCancel(context.Background())
		_ = cancel
		sched.Go(func() { sched.Recv(ctx.Done()) })
		return "returned"
	}, "blocked")
}

// own is a context type of the program, which keeps its parent's channel.
type own struct{ context.Context }

// other is one with a channel of its own.
type other struct {
	context.Context
	done chan struct{}
}

func (o other) Done() <-chan struct{} { return o.done }

func (o other) Err() error {
	if sched.SelectDefault(sched.From(o.done)) == 0 {
		return errStop
	}
	return nil
}

func TestContextsOfTheProgram(t *testing.T) {
	check(t, func() string {
		ctx, cancel := context.WithCancel(context.Background())
		child, cancelChild := context.WithCancel(own{ctx})
		defer cancelChild()
		sched.Go(cancel)
		sched.Recv(child.Done())
		return fmt.Sprint(child.Err())
	}, "context canceled")
	check(t, func() string {
		o := other{context.Background(), sched.MakeChan[struct{}](0)}
		child, cancel := context.WithCancel(o)
		defer cancel()
		sched.Go(func() { sched.Close(o.done) })
		sched.Recv(child.Done())
		return fmt.Sprint(child.Err())
	}, "stop")
}

// The real package's functions work on contexts under control.
func TestRealPackageBelow(t *testing.T) {
	check(t, func() string {
		ctx, cancel := context.WithCancelCause(context.Background())
		child, cancelChild := realcontext.WithCancel(context.WithValue(ctx, key("k"), 1))
		defer cancelChild()
		cancel(errStop)
		for range 20 { // the goroutine that cancels it is under control
			sched.Sleep(1)
		}
		select {
		case <-ctx.Done(): // the real channel is closed too
		default:
			return "not closed"
		}
		return fmt.Sprint(child.Err(), realcontext.Cause(child), realcontext.Cause(ctx))
	}, "context canceled stop stop")
}

// A parent that cannot be watched gives no verdict; one that is over already
// need not be watched.
func TestRealParent(t *testing.T) {
	parent, cancelParent := realcontext.WithCancelCause(realcontext.Background())
	check(t, func() string {
		ctx, cancel := context.WithCancel(parent)
		defer cancel()
		sched.Recv(ctx.Done())
		return "cancelled"
	}, "uncontrolled: operation on a channel that was not made under control")
	cancelParent(errStop)
	check(t, func() string {
		ctx, cancel := context.WithCancel(parent)
		defer cancel()
		sched.Recv(ctx.Done())
		return fmt.Sprint(ctx.Err(), context.Cause(ctx))
	}, "context canceled stop")
}

func TestPanicsAndNames(t *testing.T) {
	body := func() string {
		got := ""
		var none context.Context
		for _, misuse := range []func(){
			func() { context.WithCancel(none) },
			func() { context.WithTimeout(none, 1) },
			func() { context.WithoutCancel(none) },
			func() { context.WithValue(none, 1, 1) },
			func() { context.WithValue(context.TODO(), nil, 1) },
			func() { context.WithValue(context.TODO(), []int{}, 1) },
		} {
			func() {
				defer func() { got += fmt.Sprint(recover(), "\n") }()
				misuse()
			}()
		}
		ctx, cancel := context.WithCancel(context.WithValue(context.TODO(), key("k"), "v"))
		defer cancel()
		return got + fmt.Sprint(context.WithoutCancel(ctx))
	}
	const nilParent = "cannot create context from nil parent\n"
	want := nilParent + nilParent + nilParent + nilParent + "nil key\nkey is not comparable\n" +
		"context.TODO.WithValue(context_test.key, v).WithCancel.WithoutCancel"
	check(t, body, want)
	if got := body(); got != want {
		t.Errorf("outside control:\n%s\nwant\n%s", got, want)
	}
}

func TestOutsideControl(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 1)
	defer cancel()
	<-ctx.Done()
	if ctx.Err() != realcontext.DeadlineExceeded {
		t.Error(ctx.Err())
	}
}
