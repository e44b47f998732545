package metrics

import (
	"errors"
	"sync"
)

var errNotFound = errors.New("not found")

// A Server answers requests for pages.
type Server struct {
	pages   map[string]string
	metrics *Collector
}

// NewServer makes a server that counts its requests.
func NewServer(pages map[string]string) *Server {
	return &Server{pages: pages, metrics: &Collector{}}
}

// Metrics are the server's counts.
func (s *Server) Metrics() *Collector { return s.metrics }

// Get answers one request.
func (s *Server) Get(path string) (string, error) {
	page, ok := s.pages[path]
	var err error
	if !ok {
		err = errNotFound
	}
	s.metrics.Record(len(page), err)
	return page, err
}

// Serve answers the requests of several clients at once, each its own in order.
func (s *Server) Serve(clients ...[]string) {
	var wg sync.WaitGroup
	for _, paths := range clients {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, path := range paths {
				_, _ = s.Get(path) // the client has seen the error
			}
		}()
	}
	wg.Wait()
}
