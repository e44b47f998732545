package driver

import (
	"runtime"
	"slices"
	"testing"

	"mendel/checker/sched"
)

// Bubble is synctest.Test of the T: f runs in a bubble, with another T of the same
// name. Package testing's testingSynctestTest is the model.
func (t *T) Bubble(f func(*testing.T)) {
	s := t.tb.test
	if s == nil {
		sched.GiveUp("synctest.Test with a *testing.T that is not of the explored test")
		runtime.Goexit()
	}
	sched.RunBubble(t.Name(), func() {
		if s.cleaning {
			panic("testing: synctest.Run called during t.Cleanup")
		}
		s.newBubble().run(f)
	})
}

// newBubble makes the test of a bubble.
func (s *test) newBubble() *test {
	b := &test{runner: s.runner, parent: s, bubbled: true, real: s.runner.bubbleT(s.real.t.Name())}
	if b.real == nil {
		sched.GiveUp(errNoT.Error())
		runtime.Goexit()
	}
	s.subs = append(s.subs, b)
	s.runner.tests[b.real.t] = b
	return b
}

// bubbleT returns a T for a bubble. To make one means to wait for package testing,
// which is better done between executions, see spareTs.
func (r *runner) bubbleT(name string) *real {
	r.bubbles = append(r.bubbles, name)
	for i, t := range r.spare {
		if t.t.Name() == name {
			r.spare = append(r.spare[:i], r.spare[i+1:]...)
			return t
		}
	}
	return newTop(name)
}

// reclaim keeps the Ts of the bubbles below s, of the last execution, to which
// nothing was done.
func (r *runner) reclaim(s *test) {
	if !s.ended.Load() {
		return
	}
	s.subs = slices.DeleteFunc(s.subs, func(sub *test) bool {
		r.reclaim(sub)
		free := sub.bubbled && sub.ended.Load() && len(sub.subs) == 0 && !sub.real.touched()
		if free {
			delete(r.tests, sub.real.t)
			r.spare = append(r.spare, sub.real)
		}
		return free
	})
}

// spareTs makes those Ts ready that the last execution had for its bubbles.
func (r *runner) spareTs() {
	missing := map[string]int{}
	for _, name := range r.bubbles {
		missing[name]++
	}
	for _, t := range r.spare {
		missing[t.t.Name()]--
	}
	for _, name := range r.bubbles {
		if missing[name] > 0 {
			missing[name]--
			if t := newTop(name); t != nil {
				r.spare = append(r.spare, t)
			}
		}
	}
	r.bubbles = r.bubbles[:0]
}

// outside panics if the test is that of a bubble: it must not call the method.
func (s *test) outside(method string) {
	if s.bubbled {
		panic("testing: t." + method + " called inside synctest bubble")
	}
}

// isSub reports whether the test is a subtest: what it reports is told by its name.
func (s *test) isSub() bool {
	if s.bubbled {
		return s.parent.isSub()
	}
	return s.parent != nil
}
