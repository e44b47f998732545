package metrics

import (
	"strings"
	"sync"
	"testing"
)

// All counts are read while requests succeed and fail. It fails if some of the
// counters are guarded only where they are written, or if the early return of
// Record leaves a lock behind.
func TestWiderReadMeanwhile(t *testing.T) {
	const clients, rounds = 3, 50
	s := NewServer(map[string]string{"/": "12345"})
	m := s.Metrics()
	var paths []string
	for range rounds {
		paths = append(paths, "/", "/gone", "/")
	}
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for _, read := range []func() int64{m.Requests, m.Failures, m.Bytes} {
		readers.Go(func() {
			for last := int64(0); ; {
				now := read()
				if now < last {
					t.Errorf("a count went from %d to %d", last, now)
				}
				last = now
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	readers.Go(func() {
		for range rounds {
			if !strings.HasPrefix(m.Report(), "requests_total ") {
				t.Errorf("the report is %q", m.Report())
			}
		}
	})
	all := make([][]string, clients)
	for i := range all {
		all[i] = paths
	}
	s.Serve(all...)
	close(stop)
	readers.Wait()
	if m.Requests() != 3*rounds*clients || m.Failures() != rounds*clients || m.Bytes() != 10*rounds*clients {
		t.Errorf("counted are\n%s", m.Report())
	}
}
