package diagnosis

import (
	"fmt"
	"maps"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/locks"
)

// A caller is a call on the way to an access, with a lock that is held there.
type caller struct {
	Place
	locks.Held
}

// underCallers finds the lock that those hold who call what races: a value that is made for one goroutine at a time, such
// as a list or a cache of another package, has no lock of its own, and is guarded by that of its owner. Where both
// goroutines hold the owner's lock, one of them for reading only, what is called changes the value although it
// seems to read it, as the lookup of a cache does that notes what was used last.
func (r *racing) underCallers() {
	callers := [2]map[string]caller{r.callers(r.sides[0]), r.callers(r.sides[1])}
	for i, s := range r.sides {
		for _, key := range slices.Sorted(maps.Keys(callers[i])) {
			c := callers[i][key]
			other, both := callers[1-i][key]
			if !both || !c.Read || i == 1 && other.Read && other.Place == c.Place {
				continue
			}
			r.add(Finding{
				Fault: evidence.ReadLockForWrite, Places: []Place{c.Place, s.Place}, Lock: key,
				Says: fmt.Sprintf("%v is called at %v under the read side of %s alone, which guards it: what it does is no reading", s.Place, c.Place, short(key)),
			})
		}
	}
}

// heldAt are the locks that may be held at a line; those that callers hold are left out.
func (l *looking) heldAt(f *analysis.File, line int) []locks.Held {
	fn, stmt := l.model.Of(l.around(f, line)), l.statement(f, line)
	if fn == nil || stmt == nil {
		return nil
	}
	return slices.DeleteFunc(l.model.HeldAt(fn, stmt), func(h locks.Held) bool { return h.Key == "" })
}

// callers are the innermost calls on the way to a side with each lock held, by the key of the lock. What the side's own
// function holds is none.
func (r *racing) callers(s side) map[string]caller {
	found := map[string]caller{}
	innermost := true
	for _, f := range s.stack.Frames {
		file := r.program.File(f.File)
		if file == nil || file.Test {
			continue
		}
		if innermost {
			innermost = false
			continue
		}
		for _, h := range r.heldAt(file, f.Line) {
			if _, known := found[h.Key]; !known {
				found[h.Key] = caller{r.place(file, f.Line), h}
			}
		}
	}
	return found
}
