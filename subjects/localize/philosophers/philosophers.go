// Package philosophers has philosophers dine at a round table, each with a fork
// on either side.
package philosophers

import "sync"

// A Fork is used by one philosopher at a time.
type Fork struct {
	number int
	mu     sync.Mutex
	uses   int // guarded by mu
}

// A Philosopher eats with two forks.
type Philosopher struct {
	left, right *Fork
	meals       int
}

// Eat takes both forks, the one with the lower number first.
func (p *Philosopher) Eat() {
	first, second := p.left, p.right
	if second.number < first.number {
		first, second = second, first
	}
	first.mu.Lock()
	second.mu.Lock()
	p.left.uses++
	p.right.uses++
	p.meals++
	second.mu.Unlock()
	first.mu.Unlock()
}

// Dine has n philosophers eat some meals each and returns how often forks were used.
func Dine(n, meals int) (uses int) {
	forks := make([]*Fork, n)
	for i := range forks {
		forks[i] = &Fork{number: i}
	}
	var wg sync.WaitGroup
	for i := range n {
		p := &Philosopher{left: forks[i], right: forks[(i+1)%n]}
		wg.Go(func() {
			for range meals {
				p.Eat()
			}
		})
	}
	wg.Wait()
	for _, f := range forks {
		uses += f.uses
	}
	return uses
}
