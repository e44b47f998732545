package sections

import (
	"fmt"
	"maps"
	"slices"

	"mendel/mutate"
)

// A Growth is what a mutant does to the sections that it makes or lengthens.
type Growth struct {
	Longest  int      // statements of the longest; 0: there is none
	Blocking []string // what may block in one and did not under that lock before, as "file:line: channel receive"; lines are the original's
	Blocks   bool     // some of it does more than print
}

// Growth looks at the sections that a mutant makes or lengthens.
func (c *Covers) Growth(m *mutate.Mutant) (g Growth, err error) {
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		had, err := c.of(&mutate.Mutant{}, name)
		if err != nil {
			return g, err
		}
		has, err := c.of(m, name)
		if err != nil {
			return g, err
		}
		var grown []section
		for _, s := range has.sections {
			if !had.holds(s) {
				grown = append(grown, s)
				g.Longest = max(g.Longest, s.statements)
			}
		}
		f := c.program.File(name)
		if f == nil || len(grown) == 0 {
			continue
		}
		for _, b := range mutate.Blockers(c.program, f) {
			if has.newlyBlocked(had, grown, b) {
				g.Blocking = append(g.Blocking, fmt.Sprintf("%s:%d: %s", b.File, b.Line, b.What))
				g.Blocks = g.Blocks || !b.Prints
			}
		}
	}
	g.Blocking = slices.Compact(g.Blocking)
	return g, nil
}

// holds reports whether some section of the cover has all that another one has.
func (c cover) holds(s section) bool {
	return slices.ContainsFunc(c.sections, func(o section) bool {
		if o.lock != s.lock {
			return false
		}
		for line := range s.lines {
			if !o.lines[line] {
				return false
			}
		}
		return true
	})
}

// newlyBlocked reports whether an operation is in one of the sections that have
// grown, and not under the same lock in the original. One that releases a lock
// does not count under a single lock. A line of the original can have become
// several, of which a section has only some: one that does nothing but read does
// not have the operation.
func (c cover) newlyBlocked(had cover, grown []section, b mutate.Blocker) bool {
	locks := 0
	for p := range c.guarded {
		if p.line == b.Line {
			locks++
		}
	}
	if b.Releases && locks < 2 {
		return false
	}
	return slices.ContainsFunc(grown, func(s section) bool {
		return s.acts && s.lines[b.Line] && !s.letGo[b.Line] && !had.guarded[guardedLine{s.lock, place{line: b.Line}}]
	})
}
