package validate

import (
	"fmt"
	"slices"
	"strings"

	"mendel/analysis/locks"
	"mendel/mutate"
)

// firmGuard is how many uses under a lock there are to one without it, at least, if the lock is a variable's
// guard beyond doubt. Chosen.
const firmGuard = 4

// secondGuards lists in words the variables that edits put under a new lock although the original has one
// that guards them: the new one keeps nobody out who holds the other.
func (v *Validator) secondGuards(edits []mutate.Edit) (words []string) {
	if v.o.Program == nil || !slices.ContainsFunc(edits, func(e mutate.Edit) bool { return e.Lock != nil && e.Lock.New != nil }) {
		return nil
	}
	for _, g := range v.guards() {
		if len(g.Held) < 2 || len(g.Held) < firmGuard*len(g.Exceptions) {
			continue
		}
		for _, e := range edits {
			if e.Lock == nil || e.Lock.New == nil || e.Lock.Key == g.Lock || !slices.Contains(e.Vars, g.Name) {
				continue
			}
			text := fmt.Sprintf("%s has a new lock in %s (%s:%d), and %s guards it elsewhere", g.Name, e.Func, e.File, e.Line, shortKey(g.Lock))
			if !slices.Contains(words, text) {
				words = append(words, text)
			}
		}
	}
	return words
}

// shortKey is a lock's key without the path of its package: "Book.mu".
func shortKey(key string) string {
	return key[strings.LastIndexByte(key, '/')+1:]
}

// guards are the guards of the original's variables, found once.
func (v *Validator) guards() []locks.Guard {
	v.rules.Lock()
	defer v.rules.Unlock()
	if v.guarded == nil {
		v.guarded = append([]locks.Guard{}, v.model().AllGuards()...)
	}
	return v.guarded
}
