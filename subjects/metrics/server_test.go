package metrics

import (
	"errors"
	"testing"
)

func TestServe(t *testing.T) {
	s := NewServer(map[string]string{"/": "welcome", "/a": "anna"})
	done := make(chan struct{})
	go func() { // whoever looks while pages are served sees some of the requests
		defer close(done)
		if n := s.Metrics().Requests(); n < 0 || n > 4 {
			t.Errorf("%d requests so far, of 4", n)
		}
	}()
	s.Serve([]string{"/", "/b"}, []string{"/a", "/c"})
	<-done
	const want = "requests_total 4\nfailures_total 2\nsent_bytes_total 11\n"
	if got := s.Metrics().Report(); got != want {
		t.Errorf("reported is\n%swant\n%s", got, want)
	}
}

func TestGet(t *testing.T) {
	s := NewServer(map[string]string{"/": "welcome"})
	if page, err := s.Get("/"); err != nil || page != "welcome" {
		t.Errorf("the page is %q, error %v", page, err)
	}
	if _, err := s.Get("/x"); !errors.Is(err, errNotFound) {
		t.Errorf("a page that is not there: error %v", err)
	}
}
