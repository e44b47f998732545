// Package collections is about the bug of the CnC program, an assertion whose cause
// is not known: here a step is started by its tag before the item that it needs is there.
package collections

import "sync"

// A Graph has tags, which start steps, and items, which steps use.
type Graph struct {
	mu    sync.Mutex
	tags  []int
	items map[int]string
}

// Put prescribes a step and gives its item.
func (g *Graph) Put(tag int, item string) {
	g.mu.Lock()
	g.tags = append(g.tags, tag)
	g.mu.Unlock()
	g.mu.Lock()
	g.items[tag] = item
	g.mu.Unlock()
}

// Step takes a tag, if there is one, and its item.
func (g *Graph) Step() (item string, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.tags) == 0 {
		return "", false
	}
	tag := g.tags[0]
	g.tags = g.tags[1:]
	return g.items[tag], true
}
