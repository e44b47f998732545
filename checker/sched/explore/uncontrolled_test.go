package explore

import (
	"strings"
	"testing"

	"mendel/checker/sched"
)

// What a handler does happens before the return of the request; a mutex keeps
// handlers apart. Nothing of that is a race, and nothing is exhausted.
func TestHandlersWithoutRace(t *testing.T) {
	s := newServe()
	defer close(s.calls)
	for _, strategy := range []string{"auto", "mcm", "states"} {
		r, err := Explore(nil, Search{Strategy: strategy, Executions: 40}, func() {
			m, n := new(mutex), new(int)
			requests(s, func() { m.lock(); *sched.W(n)++; m.unlock() })
			if *sched.R(n) != 2 {
				sched.Fail("lost")
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != Inconclusive || r.Executions == 0 && strategy != "states" || r.Reason == "" {
			t.Errorf("%s: %+v", strategy, r)
		}
	}
}

// A body with an uncontrolled call is not explored to its end.
func TestOutsideIsNotExhausted(t *testing.T) {
	r, err := Explore(nil, Search{Strategy: "dfs"}, func() { sched.UncontrolledCall(func() {}, "a.go:1: f waits for the network")() })
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != Passed || !r.Complete || !strings.Contains(r.Reason, "a.go:1") {
		t.Errorf("%+v", r)
	}
}

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
	done := sched.MakeChan[bool](2)
	for range 2 {
		sched.Go(func() {
			s.call(handle)
			sched.Send(done, true)
		})
	}
	sched.Recv(done)
	sched.Recv(done)
}
