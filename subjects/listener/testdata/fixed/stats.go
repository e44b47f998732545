package listener

import (
	"fmt"
	"sync"
)

// Stats count what handlers did. They may be used by several goroutines.
type Stats struct {
	mu     sync.Mutex
	served int
	failed int
}

// Count wraps a handler so that its calls are counted.
func (s *Stats) Count(handle func(conn int) error) func(conn int) error {
	return func(conn int) error {
		err := handle(conn)
		s.mu.Lock()
		defer s.mu.Unlock()
		if err != nil {
			s.failed++
		} else {
			s.served++
		}
		return err
	}
}

// String is "2 served, 1 failed".
func (s *Stats) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("%d served, %d failed", s.served, s.failed)
}
