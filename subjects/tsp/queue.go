package tsp

import (
	"slices"
	"sync"
)

// A queue holds paths that workers have to explore.
type queue struct {
	mu    sync.Mutex // guards paths
	paths []path     // the most promising one last
}

// newQueue makes a queue of paths.
func newQueue(paths []path) *queue {
	slices.SortStableFunc(paths, func(a, b path) int {
		return (b.length + b.rest) - (a.length + a.rest)
	})
	return &queue{paths: paths}
}

// next takes the most promising path. It returns false when there is none left.
func (q *queue) next() (path, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.paths) == 0 {
		return path{}, false
	}
	p := q.paths[len(q.paths)-1]
	q.paths = q.paths[:len(q.paths)-1]
	return p, true
}
