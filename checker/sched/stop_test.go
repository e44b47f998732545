package sched

import (
	"strings"
	"testing"
)

// TestStoppedSearchGoesOn stops every third execution that is long enough: the
// systematic search repeats it and leaves nothing out.
func TestStoppedSearchGoesOn(t *testing.T) {
	body := func() {
		done := MakeChan[int](2)
		for range 2 {
			Go(func() {
				m := new(mutex)
				for range 40 {
					m.lock()
					m.unlock()
				}
				Send(done, 1)
			})
		}
		Recv(done)
		Recv(done)
	}
	for _, reduce := range []bool{true, false} {
		count := func(o Options) (made, stopped int) {
			s := newDFS(-1, true)
			if !reduce {
				s = newDFS(1, false)
			}
			for s.Begin() {
				x := Run(s, o, body)
				s.End(x)
				switch {
				case x.Stopped:
					if stopped++; !x.Abandoned {
						t.Error("stopped, but not abandoned")
					}
				case !x.Abandoned:
					made++
				}
			}
			return made, stopped
		}
		asked := 0
		want, _ := count(Options{})
		made, stopped := count(Options{Stop: func() bool { asked++; return asked%3 == 0 }})
		if made != want || stopped == 0 {
			t.Errorf("reduced: %v: %d executions and %d stopped, want %d", reduce, made, stopped, want)
		}
	}
}

// TestSearchInTime has an execution that is too long for the time of the search.
func TestSearchInTime(t *testing.T) {
	body := func() {
		for {
			Yield()
		}
	}
	for _, name := range []string{"auto", "dfs", "random"} {
		asked := 0
		stop := func() bool { asked++; return asked > 20 }
		r, err := Explore(stop, Search{Strategy: name, Executions: 1 << 30, Run: Options{Steps: 1 << 40}}, body)
		if err != nil || r.Verdict != Inconclusive || r.Steps > 100_000 {
			t.Errorf("%s: %v, %s after %d steps", name, err, r, r.Steps)
		}
	}
}

// TestManyBlocked lists a few of the goroutines that wait at one place.
func TestManyBlocked(t *testing.T) {
	x := Run(first{}, Options{}, func() {
		c := MakeChan[int](0)
		for range 10 {
			Go(func() { Recv(c) })
		}
		Go(func() { new(mutex).lock(); Recv(c) })
	})
	f := x.Failure
	if f == nil || f.Kind != Blocked || len(f.Places) != alike+1 || !strings.Contains(f.Message, "and 7 more") {
		t.Errorf("%+v", f)
	}
}

// A step that takes long can be stopped while it accesses memory.
func TestStoppedInStep(t *testing.T) {
	s := newWander(1)
	asked, deferred := 0, false
	stop := func() bool { asked++; return asked == 3 }
	x := Run(s, Options{Stop: stop}, func() {
		defer func() { deferred = true }()
		for n := new(int); ; {
			*RW(n)++
		}
	})
	if !x.Stopped || !x.Abandoned || x.Failure != nil || asked != 3 || !deferred {
		t.Errorf("stopped: %v, asked %d times, %v", x.Stopped, asked, x.Failure)
	}
	s.End(x)
}
