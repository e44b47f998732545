package rules

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/locks/guards"
	"mendel/mutate"
)

// firmGuard is how many uses under a lock there are to one without it, at least, if the lock is a variable's
// guard beyond doubt. Chosen.
const firmGuard = 4

// SecondGuards lists in words the variables that edits put under a new lock although the original has one
// that guards them: the new one keeps nobody out who holds the other. guards are those of the original, and
// asked only if there are new locks.
func SecondGuards(guards func() []guards.Guard, edits []mutate.Edit) (words []string) {
	if !slices.ContainsFunc(edits, func(e mutate.Edit) bool { return e.Lock != nil && e.Lock.New != nil }) {
		return nil
	}
	for _, g := range guards() {
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

// SharesLock reports whether edits declare a lock of the package for fields of what is used concurrently:
// all values of their type have one lock then.
func SharesLock(n *analysis.Narrowing, edits []mutate.Edit) bool {
	var names []string
	for _, e := range edits {
		if e.Lock != nil && e.Lock.New != nil && e.Lock.New.Kind == analysis.PackageLock {
			names = append(names, e.Vars...)
		}
	}
	if len(names) == 0 || n == nil {
		return false
	}
	_, _, variables := n.Findings()
	return slices.ContainsFunc(variables, func(f analysis.Finding) bool {
		field, ok := f.Object.(*types.Var)
		return ok && field.IsField() && slices.Contains(names, f.Name)
	})
}
