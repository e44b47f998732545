package validate

import (
	"fmt"
	"maps"
	"slices"

	"mendel/mutate"
)

// Quality is the effect of a fix on the program's critical sections and on its
// parallelism.
type Quality struct {
	NewLocks       int `json:"newLocks"`       // that the fix declares
	LongestSection int `json:"longestSection"` // statements in the longest critical section that the fix makes or lengthens; 0: none
	// Blocking lists what may block inside such a section and did not under that
	// lock before, as "file:line: channel receive"; lines are the original's (see
	// mutate.Blockers for what counts).
	Blocking []string `json:"blocking,omitempty"`
	// blocks says that one of them does more than print: the fix is flagged.
	blocks bool
	// Unguarded lists the uses of variables without the lock that the fix guards
	// them with elsewhere, in words; with any in a function that could take the lock the
	// fix is flagged.
	Unguarded []string `json:"unguarded,omitempty"`
	// Split lists variables that are read under a lock and written back under a
	// later acquisition, in words; with any the fix is flagged.
	Split []string `json:"split,omitempty"`
	// Locks says what else the model of locks finds wrong with the fix beside the
	// original: circles of locks, waits under a lock, wake-ups, in words.
	Locks []string `json:"locks,omitempty"`
	// Scenarios says what calls side by side show that the tests do not make.
	Scenarios Scenarios `json:"scenarios,omitzero"`
	// Planted says which guards the tests need; it is found out after the validation.
	Planted Planted `json:"planted,omitzero"`
	// Unexercised names variables that the fix guards although no failure names
	// them, because they are used like one that a failure names. The tests do not
	// show whether they need it.
	Unexercised []string `json:"unexercised,omitempty"`
	// Omitted names those that a wider fix guards too, and this one does not.
	Omitted []string `json:"omitted,omitempty"`
	// Parallelism is the speed-up from one processor to all of them, of the
	// patched program over the original's: 1 is kept, 0.5 half lost, 0 not measured.
	Parallelism float64 `json:"parallelism,omitempty"`
}

// quality looks at the sections of a mutant; parallelism is not measured here.
func (c *covers) quality(m *mutate.Mutant) (Quality, error) {
	var q Quality
	for _, l := range newLocks(m.Edits) {
		if l.New.Type == "" { // a mutex, and not what else edits declare
			q.NewLocks++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		had, err := c.of(&mutate.Mutant{}, name)
		if err != nil {
			return q, err
		}
		has, err := c.of(m, name)
		if err != nil {
			return q, err
		}
		var grown []section
		for _, s := range has.sections {
			if !had.holds(s) {
				grown = append(grown, s)
				q.LongestSection = max(q.LongestSection, s.statements)
			}
		}
		f := c.program.File(name)
		if f == nil || len(grown) == 0 {
			continue
		}
		for _, b := range mutate.Blockers(c.program, f) {
			if has.newlyBlocked(had, grown, b) {
				q.Blocking = append(q.Blocking, fmt.Sprintf("%s:%d: %s", b.File, b.Line, b.What))
				q.blocks = q.blocks || !b.Prints
			}
		}
	}
	q.Blocking = slices.Compact(q.Blocking)
	return q, nil
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
		return s.acts && s.lines[b.Line] && !had.guarded[guardedLine{s.lock, place{line: b.Line}}]
	})
}
