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
type Impacts struct {
	*Impact
	known map[string]bool // by the bytes of a position
	at    position        // scratch
}

// newImpacts returns nil for none.
func NewImpacts(i *Impact) *Impacts {
	if i == nil || len(i.Ranges) == 0 {
		return nil
	}
	return &Impacts{Impact: i, known: map[string]bool{}}
}

// hit reports whether the caller's caller is where the change may matter.
func (i *Impacts) hit() bool {
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

func (i *Impacts) matches(frames []Frame) bool {
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
