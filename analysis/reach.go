package analysis

import (
	"math/bits"

	"mendel/analysis/evidence"
)

// maxRaces is how many of the original's races are kept apart: a program with
// more shows hardly anything new.
const maxRaces = 64

// A Reach is a set of the original's races.
type Reach struct {
	set uint64
	all int // how many the original has
}

// With are the races of both sets.
func (r Reach) With(other Reach) Reach { return Reach{r.set | other.set, max(r.all, other.all)} }

// Share is what part of the original's races the set is, between 0 and 1: 1 if
// it is all of them, or if there is none. None of n counts as one of n+1.
func (r Reach) Share() float64 {
	return float64(1+bits.OnesCount64(r.set)) / float64(1+r.all)
}

// Reach are those of the original's races of which some lines of a file, the last
// included, have an access or a call that led to it. An edit that changes what
// happens on these lines leaves the other races as they are.
func (n *Narrowing) Reach(f *File, first, last int) Reach {
	n.mu.RLock()
	defer n.mu.RUnlock()
	r := Reach{all: len(n.races.known)}
	lines := n.races.lines[f]
	for line := first; line <= last && len(lines) > 0; line++ {
		r.set |= lines[line]
	}
	return r
}

// races knows on which lines the races of the original are, with the calls that
// led to them.
type races struct {
	known map[string]bool // by signature
	lines map[*File]map[int]uint64
}

// add takes down a race, unless it is known. The sites are those of its stacks.
func (r *races) add(f evidence.Failure, stacks [][]site) {
	if r.known[f.Signature] || len(r.known) == maxRaces {
		return
	}
	if r.known == nil {
		r.known, r.lines = map[string]bool{}, map[*File]map[int]uint64{}
	}
	bit := uint64(1) << len(r.known)
	r.known[f.Signature] = true
	for _, sites := range stacks {
		for _, s := range sites {
			if r.lines[s.file] == nil {
				r.lines[s.file] = map[int]uint64{}
			}
			r.lines[s.file][s.line] |= bit
		}
	}
}
