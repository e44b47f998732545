package httptest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	gosync "sync"

	"mendel/checker/sched"
	zzhttp "mendel/checker/shim/http"
	"mendel/checker/shim/sync"
)

// A server is what is known of a test server of the running execution.
type server struct {
	real   *httptest.Server
	start  sync.Once
	client *http.Client // nil: it has not started, or is not under control

	object sched.Object
	closed bool        // Close has begun
	left   bool        // and has ended
	open   []*exchange // those whose connections are there
	busy   int         // handlers that run
	idle   func() bool
}

// servers are those of the running execution.
var servers struct {
	gosync.Mutex
	object sched.Object
	all    map[*httptest.Server]*server
}

// find is the server that stands for a real one; nil if none does.
func find(real *httptest.Server) *server {
	servers.Lock()
	defer servers.Unlock()
	if servers.object.Fresh() {
		servers.all = nil
	}
	return servers.all[real]
}

// A Server stands for an httptest.Server: s.Client becomes OfServer(s).Client.
type Server struct {
	real *httptest.Server
	what string
}

// OfServer returns what stands for s. what says what a call does, if it leaves control.
func OfServer(s *httptest.Server, what string) Server { return Server{s, what} }

// modelled is the server under control; nil if there is none.
func (s Server) modelled() *server {
	if s.real == nil || !sched.Active() {
		return nil
	}
	return find(s.real)
}

// Client is s.Client.
func (s Server) Client() *http.Client {
	m := s.modelled()
	if m == nil {
		return s.real.Client()
	}
	m.start.Do(m.begin)
	if m.client == nil {
		return sched.UncontrolledCall(s.real.Client, s.what+"a test server with this Config is outside control")()
	}
	return m.client
}

// Close is s.Close.
func (s Server) Close() {
	if m := s.modelled(); m != nil {
		m.close()
	}
	s.real.Close()
}

// CloseClientConnections is s.CloseClientConnections.
func (s Server) CloseClientConnections() {
	if m := s.modelled(); m != nil {
		m.disconnect()
	}
	s.real.CloseClientConnections()
}

// Start is s.Start.
func (s Server) Start() { sched.UncontrolledCall(s.real.Start, s.what)() }

// StartTLS is s.StartTLS.
func (s Server) StartTLS() { sched.UncontrolledCall(s.real.StartTLS, s.what)() }

// Certificate is s.Certificate.
func (s Server) Certificate() *x509.Certificate {
	if m := s.modelled(); m != nil && m.client != nil {
		sched.GiveUp(s.what + "the certificate of a test server is not known under control")
		runtime.Goexit()
	}
	return s.real.Certificate()
}

// begin makes the client, unless the server does what is not modelled.
func (s *server) begin() {
	c := s.real.Config
	if c.ConnState != nil || c.ConnContext != nil || c.ReadTimeout != 0 || c.ReadHeaderTimeout != 0 ||
		c.WriteTimeout != 0 || c.MaxHeaderBytes != 0 || c.TLSNextProto != nil || c.Protocols != nil || c.HTTP2 != nil {
		return
	}
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			return nil, errors.New("under control, only the client of the test server reaches it")
		},
	}
	transport.RegisterProtocol("http", network{s, transport})
	transport.RegisterProtocol("https", network{s, transport})
	zzhttp.Control(transport)
	*sched.W(&s.real.URL) = "http://example.com"
	s.client = &http.Client{Transport: transport}
}

// enter begins an exchange. It fails when the server is being closed.
func (s *server) enter(x *exchange) bool {
	sched.Do(sched.Op{Kind: sched.KindLoad, Obj: &s.object, Read: true, What: "request to the test server"})
	sched.Acquire(&s.object)
	if s.closed {
		return false
	}
	s.busy++ // nobody can notice in which order
	s.open = append(s.open, x)
	return true
}

// reads reports whether the server still reads a request, which is a step of its own.
func (s *server) reads() bool {
	sched.Do(sched.Op{Kind: sched.KindLoad, Obj: &s.object, Read: true, What: "begin of a handler of the test server"})
	return !s.closed
}

// leave notes that a handler has ended.
func (s *server) leave() {
	sched.Do(sched.Op{Kind: sched.KindStore, Obj: &s.object, What: "end of a handler of the test server"})
	sched.Release(&s.object)
	s.busy--
}

// close ends the server when all its handlers have ended.
func (s *server) close() {
	if s.client == nil {
		return
	}
	sched.Do(sched.Op{Kind: sched.KindStore, Obj: &s.object, What: "Server.Close"})
	s.closed = true
	sched.Release(&s.object)
	sched.Do(sched.Op{Kind: sched.KindWait, Obj: &s.object, Durable: true, Enabled: s.idle, What: "Server.Close"})
	sched.Acquire(&s.object)
	s.left = true
	if sched.Bubbled() == nil {
		return
	}
	for _, x := range s.open {
		x.linger()
	}
}

// disconnect closes the connections of all requests.
func (s *server) disconnect() {
	sched.Do(sched.Op{Kind: sched.KindStore, Obj: &s.object, What: "Server.CloseClientConnections"})
	for _, x := range s.open {
		x.drop()
	}
}

// logf prints an error of the server.
func (s *server) logf(format string, args ...any) {
	if l := s.real.Config.ErrorLog; l != nil {
		l.Printf(format, args...)
		return
	}
	log.Printf(format, args...)
}
