package sched

import (
	"strings"
	"unsafe"
)

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

// Impacts finds out, for one process, what an Impact matches.
type Impacts struct {
	*Impact
	known map[string]bool // by the bytes of a position
	at    position        // scratch
}

// NewImpacts returns nil for none.
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
