package lockread

import (
	"slices"

	"mendel/mutate"
)

// closer finds the edits that read variables under a lock in a function, each by itself and all of them; first
// those that read in the section before.
func closer(w *mutate.Whole) func(mutate.Closing) [][]mutate.Edit {
	return func(c mutate.Closing) [][]mutate.Edit {
		var inside, before set
		for _, e := range w.EditsOf("lockread") {
			if e.File != c.Fn.File.Rel || e.Func != c.Fn.Name || e.Lock == nil || e.Lock.Key != c.Key {
				continue
			}
			if e.Form == inSection {
				inside.add(e, true)
			} else {
				before.add(e, e.Group != "") // without one another edit of the function has its read
			}
		}
		return slices.Concat(inside.ways(), before.ways())
	}
}

// A set is edits of one form.
type set struct {
	each     [][]mutate.Edit
	together []mutate.Edit
}

func (s *set) add(e mutate.Edit, together bool) {
	s.each = append(s.each, []mutate.Edit{e})
	if together && !alreadyRead(s.together, e) {
		s.together = append(s.together, e)
	}
}

func (s *set) ways() [][]mutate.Edit {
	if len(s.together) > 1 {
		return append([][]mutate.Edit{s.together}, s.each...)
	}
	return s.each
}
