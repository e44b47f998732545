package driver

import (
	"runtime"
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

// bubbleT returns a T for a bubble: one of an earlier execution, if possible.
func (r *runner) bubbleT(name string) *real {
	for i, t := range r.spare {
		if t.t.Name() == name {
			r.spare = append(r.spare[:i], r.spare[i+1:]...)
			return t
		}
	}
	return newTop(name)
}

// reclaim keeps the Ts of the last execution's bubbles to which nothing was done.
func (r *runner) reclaim() {
	if r.top == nil || !r.top.ended.Load() {
		return
	}
	kept := r.top.subs[:0]
	for _, s := range r.top.subs {
		if s.bubbled && s.ended.Load() && len(s.subs) == 0 && !s.real.touched() {
			delete(r.tests, s.real.t)
			r.spare = append(r.spare, s.real)
		} else {
			kept = append(kept, s)
		}
	}
	r.top.subs = kept
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
