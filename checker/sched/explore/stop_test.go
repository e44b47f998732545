package explore

import (
	"testing"

	"mendel/checker/sched"
)

// TestStoppedSearchGoesOn stops every third execution that is long enough: the
// systematic search repeats it and leaves nothing out.
func TestStoppedSearchGoesOn(t *testing.T) {
	body := func() {
		done := sched.MakeChan[int](2)
		for range 2 {
			sched.Go(func() {
				m := new(mutex)
				for range 40 {
					m.lock()
					m.unlock()
				}
				sched.Send(done, 1)
			})
		}
		sched.Recv(done)
		sched.Recv(done)
	}
	for _, reduce := range []bool{true, false} {
		count := func(o sched.Options) (made, stopped int) {
			s := newDFS(-1, true)
			if !reduce {
				s = newDFS(1, false)
			}
			for s.Begin() {
				x := sched.Run(s, o, body)
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
		want, _ := count(sched.Options{})
		made, stopped := count(sched.Options{Stop: func() bool { asked++; return asked%3 == 0 }})
		if made != want || stopped == 0 {
			t.Errorf("reduced: %v: %d executions and %d stopped, want %d", reduce, made, stopped, want)
		}
	}
}

// TestSearchInTime has an execution that is too long for the time of the search.
func TestSearchInTime(t *testing.T) {
	body := func() {
		for {
			sched.Yield()
		}
	}
	for _, name := range []string{"auto", "dfs", "random"} {
		asked := 0
		stop := func() bool { asked++; return asked > 20 }
		r, err := Explore(stop, Search{Strategy: name, Executions: 1 << 30, Run: sched.Options{Steps: 1 << 40}}, body)
		if err != nil || r.Verdict != Inconclusive || r.Steps > 100_000 {
			t.Errorf("%s: %v, %s after %d steps", name, err, r, r.Steps)
		}
	}
}
