package trial

import (
	"mendel"
	"mendel/fitness"
	"mendel/internal/result"
)

// A drawing observes which operator's edit made the candidates of a search. A
// fix does not tell: it has the parts of a composite edit in its place.
type drawing struct {
	result.Silent
	last map[int]string // operator by generation, of its last candidate
}

// Search notes a candidate. Calls do not overlap.
func (d *drawing) Search(e mendel.Event) {
	if e.Done || e.Mutant == nil || e.Result.Score < fitness.FullScore {
		return
	}
	if d.last == nil {
		d.last = make(map[int]string)
	}
	d.last[e.Generation] = e.Operator
}

// of is the operator that made the last candidate of a generation, with which a
// search ends when it becomes a fix.
func (d *drawing) of(generation int) string { return d.last[generation] }
