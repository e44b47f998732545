// Package binlog has the bug of MySQL #791: whether the binary log is open is read
// without the lock under which it is rotated, and a statement is not logged.
package binlog

import (
	"sync"
	"sync/atomic"
)

// A Server logs the statements that it executes.
type Server struct {
	mu     sync.Mutex
	open   atomic.Bool
	logged int
	rows   int
}

// Flush rotates the log.
func (s *Server) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open.Store(false)
	s.logged += 0 // the new file begins where the old one ends
	s.open.Store(true)
}

// Insert adds a row.
func (s *Server) Insert() {
	isOpen := s.open.Load()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows++
	if isOpen {
		s.logged++
	}
}
