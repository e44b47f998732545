package parking

import "sync"

// A Sensor sees what passes its barrier.
type Sensor struct{ stats *Stats }

// Watch sees two cars and a motorcycle come, of which a car stays.
func (s *Sensor) Watch() {
	s.stats.CarIn()
	s.stats.CarIn()
	s.stats.MotorcycleIn()
	s.stats.MotorcycleOut()
	s.stats.CarOut()
}

// Run watches n barriers at the same time.
func Run(stats *Stats, n int) {
	var wg sync.WaitGroup
	for range n {
		s := &Sensor{stats}
		wg.Go(s.Watch)
	}
	wg.Wait()
}
