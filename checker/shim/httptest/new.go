//go:build go1.27

package httptest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"mendel/checker/driver"
	"mendel/checker/sched"
)

// NewTestServer is httptest.NewTestServer.
func NewTestServer(t testing.TB, handler http.Handler) *httptest.Server {
	if !sched.Active() {
		return httptest.NewTestServer(t, handler)
	}
	owner := &owner{TB: t, driven: driver.OfTB(t)}
	real := httptest.NewTestServer(owner, handler)
	owner.server = add(real)
	return real
}

// An owner is the test of a server. What the server does with it, the driver does.
type owner struct {
	testing.TB
	driven *driver.TB
	server *server
}

// Errorf reports a panic of the handler.
func (o *owner) Errorf(format string, args ...any) { o.driven.Errorf(format, args...) }

// Cleanup is given what closes the real server.
func (o *owner) Cleanup(closeReal func()) {
	o.driven.Cleanup(func() {
		o.server.close()
		closeReal()
	})
}

// add notes a server.
func add(real *httptest.Server) *server {
	s := &server{real: real}
	s.idle = func() bool { return s.busy == 0 }
	servers.Lock()
	defer servers.Unlock()
	if servers.object.Fresh() || servers.all == nil {
		servers.all = map[*httptest.Server]*server{}
	}
	servers.all[real] = s
	return s
}
