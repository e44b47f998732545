package schema

import (
	"slices"
	"sync"
)

const (
	// MostKept is how many executables of schemata are kept for programs that combine their
	// variants. Guessed: a test binary has some ten megabytes.
	MostKept = 6
	// mostTries is how many executables of the program a set of mutants shares at most: what
	// does not go with others, such as another declaration of the same name, may go with
	// the rest.
	mostTries = 2
	// mostBases is how often the first of those that are left is tried as the original of
	// the others. Guessed: mutants of a generation have few ways to change a type.
	mostBases = 8
)

// Latest are the latest things that were made, MostKept of them at most. The zero value is
// empty; it is safe for concurrent use.
type Latest[T any] struct {
	mu  sync.Mutex
	all []T // the newest last
}

// Add adds the newest one; full reports that the oldest had to go.
func (l *Latest[T]) Add(newest T) (oldest T, full bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all = append(l.all, newest); len(l.all) > MostKept {
		oldest, full = l.all[0], true
		l.all = slices.Delete(l.all, 0, 1)
	}
	return oldest, full
}

// Len is how many there are.
func (l *Latest[T]) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.all)
}

// Find visits them, the newest first, until one fits. None goes meanwhile.
func (l *Latest[T]) Find(fits func(T) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, one := range slices.Backward(l.all) {
		if fits(one) {
			return
		}
	}
}
