package sched

import (
	"strings"
	"unsafe"
)

// Change-aware preemption prioritisation: Jagannath, Luo and Marinov, "Change-Aware
// Preemption Prioritization" (ISSTA 2011), as in Luo's thesis (2015), section 4.1.2. With
// Search.Impact, dfs with a bound on preemptions, and auto, first explore schedules whose
// preemptions have to do with a change, and then all others: nothing is left out.
//
// Deviations: the first pass takes each bound in turn before the second one begins, and
// the second one makes the schedules of the first again. Of goroutines that have not
// begun it is not known where they are: they match nothing.

// An Impact says where a change may matter, and how that is used.
type Impact struct {
	Ranges []Lines // of source: where a goroutine's next operation has to be
	Stack  bool    // or any of the calls that led there
	// All: a goroutine is preempted only if all that could go on are there; else those
	// that are not go on first. Not All: it is preempted if any is there.
	All bool
}

// Lines are some lines of a file.
type Lines struct {
	File     string
	From, To int
}

// impacts finds out, for one process, what an Impact matches.
type impacts struct {
	*Impact
	known map[string]bool // by the bytes of a position
	at    position        // scratch
}

// newImpacts returns nil for none.
func newImpacts(i *Impact) *impacts {
	if i == nil || len(i.Ranges) == 0 {
		return nil
	}
	return &impacts{Impact: i, known: map[string]bool{}}
}

// hit reports whether the caller's caller is where the change may matter.
func (i *impacts) hit() bool {
	frames := shallow
	if i.Stack {
		frames = deep
	}
	i.at = where(1, frames, i.at)
	if len(i.at) == 0 {
		return false
	}
	key := unsafe.String((*byte)(unsafe.Pointer(&i.at[0])), uintptr(len(i.at))*unsafe.Sizeof(i.at[0]))
	hit, ok := i.known[key]
	if !ok {
		hit = i.matches(i.at.frames())
		if len(i.known) == maxKnown {
			clear(i.known)
		}
		i.known[strings.Clone(key)] = hit
	}
	return hit
}

func (i *impacts) matches(frames []Frame) bool {
	for _, f := range frames {
		for _, r := range i.Ranges {
			if r.File == f.File && r.From <= f.Line && f.Line <= r.To {
				return true
			}
		}
		if !i.Stack {
			return false
		}
	}
	return false
}

// prefer says, of the decision n, which alternatives the first pass tries.
func (s *dfs) prefer(n *node) {
	n.kept = zeros(n.kept, len(n.enabled))
	all := goroutines(n.enabled)
	hits := 0
	for _, p := range all {
		if p.Hit {
			hits++
		}
	}
	everything := hits == len(all)
	if !s.impact.All {
		everything = hits > 0
	}
	if c := n.current; c < 0 || n.yielding || n.barred[c] || everything {
		for i := range n.kept {
			n.kept[i] = true
		}
		return
	}
	n.kept[s.onward(n, all)] = true
}

// onward is the only alternative of a decision at which nobody is preempted: the
// goroutine that runs, or, so that others come to the change, one that is not there.
func (s *dfs) onward(n *node, all []Pending) int {
	if s.impact.All && all[n.current].Hit {
		for i, p := range all {
			if !p.Hit && !n.barred[i] && n.preempted+n.cost(i) <= s.bound {
				return i
			}
		}
	}
	return n.current
}

// deepenTo explores with growing bounds, up to a limit, the schedules that have to do with
// the change.
func (e *explorer) deepenTo(bound int, l limit) {
	if e.Impact == nil {
		return
	}
	for k := 1; k <= bound && !e.over; k++ {
		s := newDFS(k, false)
		s.impact = e.Impact
		if !e.stage("dfs", s, l) || !s.deferred {
			return
		}
	}
}
