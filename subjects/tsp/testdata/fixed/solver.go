package tsp

import (
	"slices"
	"sync"
)

// A solver looks for the shortest tour.
type solver struct {
	distances Distances
	nearest   []int
	queue     *queue
	best      *best
}

// Solve returns a shortest tour from city 0 through all others, and its
// length. The search is shared among a number of workers.
func Solve(d Distances, workers int) ([]int, int, error) {
	if err := d.check(); err != nil {
		return nil, 0, err
	}
	if len(d) < 2 {
		return make([]int, len(d)), 0, nil
	}
	s := &solver{distances: d, nearest: d.nearest(), best: newBest()}
	start := path{cities: []int{0}, rest: sum(s.nearest)}
	s.queue = newQueue(s.extensions(start))

	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.work()
		}()
	}
	wg.Wait()
	return s.best.tour, s.best.length, nil
}

// work explores paths until there are no more.
func (s *solver) work() {
	for {
		p, ok := s.queue.next()
		if !ok {
			return
		}
		s.explore(p)
	}
}

// explore looks for tours that begin with a path, the most promising first,
// and leaves out what cannot be shorter than the best one.
func (s *solver) explore(p path) {
	if len(p.cities) == len(s.distances) {
		s.best.offer(p.cities, p.length+s.distances[p.last()][0])
		return
	}
	if !s.best.promising(p.length + p.rest) {
		return
	}
	for _, longer := range s.extensions(p) {
		s.explore(longer)
	}
}

// extensions lists the paths that go one city further, the shortest first.
func (s *solver) extensions(p path) []path {
	var longer []path
	for city := range s.distances {
		if p.contains(city) {
			continue
		}
		longer = append(longer, path{
			cities: append(slices.Clone(p.cities), city),
			length: p.length + s.distances[p.last()][city],
			rest:   p.rest - s.nearest[p.last()],
		})
	}
	slices.SortStableFunc(longer, func(a, b path) int { return a.length - b.length })
	return longer
}

func sum(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}
