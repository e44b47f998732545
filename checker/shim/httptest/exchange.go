package httptest

import (
	"bufio"
	"bytes"
	stdcontext "context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"mendel/checker/sched"
	"mendel/checker/shim/context"
	"mendel/checker/shim/time"
)

// A network carries the requests of a client to the handler of a server.
type network struct {
	server    *server
	transport *http.Transport
}

// An exchange is a request and what becomes of it.
type exchange struct {
	server  *server
	request *http.Request // as the handler gets it
	cancel  stdcontext.CancelFunc
	sent    *stream // the body of the request; nil: it has none
	unzip   bool    // the client has asked for compression by itself

	answered chan outcome // of which the first counts
	body     *body        // that the client has; nil: none
	over     chan struct{}

	object   sched.Object
	gone     bool // the connection has been closed
	consumed bool // the server has read the body of the request
}

// An outcome is what a client gets.
type outcome struct {
	answer *http.Response
	err    error
}

// timeoutError is what a client gets when the answer does not begin in time.
type timeoutError struct{}

func (timeoutError) Error() string   { return "net/http: timeout awaiting response headers" }
func (timeoutError) Timeout() bool   { return true }
func (timeoutError) Temporary() bool { return true }

// RoundTrip runs the handler in a goroutine and waits until its answer begins.
func (n network) RoundTrip(r *http.Request) (*http.Response, error) {
	x, err := n.exchange(r)
	if err == nil && r.Context().Err() != nil {
		err = context.Cause(r.Context())
	}
	if err == nil && !n.server.enter(x) {
		err = n.server.refuse(r.Context())
	}
	if err != nil {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, err
	}
	sched.GoAt("handler of "+x.request.Method+" "+x.request.RequestURI, x.serve)
	x.send(r)
	var late <-chan time.Time
	if limit := n.transport.ResponseHeaderTimeout; limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		late = timer.C
	}
	from := sched.From((<-chan outcome)(x.answered))
	//lint:ignore SA1019 clients may still set Cancel
	cancelled := r.Cancel
	switch sched.Select(from, sched.From(r.Context().Done()), sched.From(cancelled), sched.From(late)) {
	case 0:
		if from.V.err != nil {
			return nil, from.V.err
		}
		return x.deliver(r, from.V.answer), nil
	case 1:
		err = context.Cause(r.Context())
	case 2:
		err = errors.New("net/http: request canceled")
	default:
		err = timeoutError{}
	}
	x.disconnect()
	return nil, err
}

// refuse is what becomes of a request to a server that is being closed. It fails; when
// nobody is left who would accept its connection, it waits until it is cancelled.
func (s *server) refuse(ctx stdcontext.Context) error {
	if !s.left {
		return io.EOF
	}
	sched.Recv(ctx.Done())
	return context.Cause(ctx)
}

// exchange makes of a request what the server gets.
func (n network) exchange(r *http.Request) (*exchange, error) {
	bare := r.WithContext(stdcontext.Background())
	bare.Header, bare.Body, bare.ContentLength, bare.TransferEncoding = r.Header.Clone(), nil, 0, nil
	x := &exchange{server: n.server, answered: sched.MakeChan[outcome](1)}
	x.unzip = !n.transport.DisableCompression && r.Method != http.MethodHead && r.Header.Get("Accept-Encoding") == "" && r.Header.Get("Range") == ""
	if x.unzip {
		bare.Header.Set("Accept-Encoding", "gzip")
	}
	var wire bytes.Buffer
	if err := bare.Write(&wire); err != nil {
		return nil, err
	}
	got, err := http.ReadRequest(bufio.NewReader(&wire))
	if err != nil {
		return nil, err
	}
	got.RemoteAddr = clientAddress
	if r.URL.Scheme == "https" {
		got.TLS = secured(r)
		if n.server.real.EnableHTTP2 {
			got.Proto, got.ProtoMajor, got.ProtoMinor = "HTTP/2.0", 2, 0
		}
	}
	x.receiveBody(r, got)
	ctx := stdcontext.Context(stdcontext.Background())
	if base := n.server.real.Config.BaseContext; base != nil {
		if ctx = base(listener{}); ctx == nil {
			panic("BaseContext returned a nil context")
		}
	}
	ctx = context.WithValue(context.WithValue(ctx, http.ServerContextKey, n.server.real.Config), http.LocalAddrContextKey, listener{}.Addr())
	ctx, x.cancel = context.WithCancel(ctx)
	x.request = got.WithContext(ctx)
	if sched.Bubbled() != nil {
		x.over = sched.MakeChan[struct{}](0)
	}
	return x, nil
}

// receiveBody gives the request of the server the body of the client's.
func (x *exchange) receiveBody(r, got *http.Request) {
	if x.consumed = r.Body == nil || r.Body == http.NoBody; x.consumed {
		got.Body = http.NoBody
		return
	}
	got.Header.Del("Content-Length")
	if got.ContentLength = r.ContentLength; r.ContentLength <= 0 {
		got.ContentLength, got.TransferEncoding = -1, []string{"chunked"}
	} else {
		got.Header.Set("Content-Length", strconv.FormatInt(r.ContentLength, 10))
	}
	if x.sent = newStream(); r.GetBody != nil {
		data, err := io.ReadAll(r.Body) // from memory: nobody notices when
		r.Body.Close()
		x.sent = whole(data, endOf(err))
	}
	got.Body = &received{exchange: x}
}

// endOf is the error that ends a body.
func endOf(err error) error {
	if err == nil {
		return io.EOF
	}
	return err
}

// send copies the body of a request to the server.
func (x *exchange) send(r *http.Request) {
	if x.sent == nil || x.sent.turn == nil {
		return
	}
	sched.GoAt("body of "+x.request.Method+" "+x.request.RequestURI, func() {
		defer r.Body.Close()
		for buf := make([]byte, 32<<10); ; {
			n, err := r.Body.Read(buf)
			if err != nil && err != io.EOF {
				x.settle(nil, err)
				x.disconnect()
				return
			}
			x.sent.put(buf[:n], err)
			if x.sent.err != nil {
				return
			}
		}
	})
}

// serve runs the handler, unless the server has closed the connection before it read the
// request.
func (x *exchange) serve() {
	if !x.server.reads() {
		x.settle(nil, io.EOF)
		x.server.leave()
		return
	}
	a := newAnswer(x)
	defer x.finish(a)
	h := x.server.real.Config.Handler
	if h == nil {
		h = http.DefaultServeMux
	}
	h.ServeHTTP(a, x.request)
	a.returned = true
}

// finish ends the exchange for the server: it is deferred by serve.
func (x *exchange) finish(a *answer) {
	if p := recover(); p != nil && p != http.ErrAbortHandler {
		x.server.logf("http: panic serving %s: %v", x.request.RemoteAddr, p)
	}
	x.cancel()
	a.end()
	if x.sent != nil {
		x.sent.put(nil, http.ErrBodyReadAfterClose)
	}
	x.server.leave()
}

// settle gives the client the answer, or an error instead, unless it has one.
func (x *exchange) settle(answer *http.Response, err error) {
	sched.SelectDefault(sched.To(x.answered).Case(outcome{answer, err}))
}

// disconnect closes the connection from the client's side. The server notices when it
// waits for nothing else of the client.
func (x *exchange) disconnect() {
	sched.Do(sched.Op{Kind: sched.KindStore, Obj: &x.object, What: "end of a connection"})
	x.gone = true
	notices := x.consumed
	sched.Release(&x.object)
	if x.sent != nil {
		x.sent.put(nil, io.ErrUnexpectedEOF)
	}
	if notices {
		x.cancel()
	}
}

// consume notes that the server has read the body of the request.
func (x *exchange) consume() {
	sched.Do(sched.Op{Kind: sched.KindStore, Obj: &x.object, What: "end of a request's body"})
	x.consumed = true
	sched.Acquire(&x.object)
	if x.gone {
		x.cancel()
	}
}

// drop closes the connection from the server's side.
func (x *exchange) drop() {
	x.settle(nil, io.EOF)
	if b := x.body; b != nil {
		b.stream.put(nil, io.ErrUnexpectedEOF)
	}
	x.disconnect()
	x.cancel()
}

// linger leaves a goroutine behind that waits for the client to read or close the body of
// its answer, if it has not: the real client's that reads from the connection.
func (x *exchange) linger() {
	if b := x.body; b != nil && !b.ended {
		b.ended = true // once
		sched.GoAt("connection of an answer whose body is not closed", func() {
			sched.Select(sched.From((<-chan struct{})(x.over)), sched.From(b.ctx.Done()))
		})
	}
}

// A received is the body of a request as the handler gets it.
type received struct {
	*exchange
	closed, ended bool
}

// maxDrained is how much of a body the server reads for a handler that has not.
const maxDrained = 256 << 10

// Read waits for what the client sends.
func (b *received) Read(p []byte) (int, error) {
	if b.closed {
		return 0, http.ErrBodyReadAfterClose
	}
	n, err, _ := b.sent.take(p, nil)
	if err != nil && !b.ended {
		b.ended = true
		if b.consume(); err != io.EOF {
			b.cancel()
		}
	}
	return n, err
}

// Close makes reads fail.
func (b *received) Close() error {
	b.closed = true
	return nil
}

// drain reads what a handler has left.
func (x *exchange) drain() {
	if b, ok := x.request.Body.(*received); ok && !b.closed && !b.ended {
		io.CopyN(io.Discard, b, maxDrained+1)
	}
}

const clientAddress = "192.0.2.1:10001"

// A listener is what the server's BaseContext gets.
type listener struct{}

func (listener) Accept() (net.Conn, error) { return nil, net.ErrClosed }
func (listener) Close() error              { return nil }
func (listener) Addr() net.Addr            { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1000} }

// secured is what both sides know of TLS.
func secured(r *http.Request) *tls.ConnectionState {
	return &tls.ConnectionState{Version: tls.VersionTLS13, HandshakeComplete: true, ServerName: r.URL.Hostname()}
}

// deliver makes of the answer what the client gets.
func (x *exchange) deliver(r *http.Request, a *http.Response) *http.Response {
	a.Request = r
	a.TLS = x.request.TLS
	if x.body = bodyOf(a); x.body == nil {
		return a
	}
	x.body.exchange, x.body.ctx = x, r.Context()
	if x.body.stream.turn != nil && r.Context().Done() != nil {
		x.body.stop = context.AfterFunc(r.Context(), x.disconnect)
	}
	if x.unzip && a.Header.Get("Content-Encoding") == "gzip" {
		a.Header.Del("Content-Encoding")
		a.Header.Del("Content-Length")
		a.ContentLength, a.Uncompressed = -1, true
		a.Body = &unzipped{body: x.body}
	}
	return a
}

// bodyOf is the body of an answer; nil if it is empty.
func bodyOf(a *http.Response) *body {
	b, _ := a.Body.(*body)
	return b
}

// excluded are header fields that no handler sets.
var excluded = []string{"Transfer-Encoding", "Trailer"}

func withoutExcluded(h http.Header) http.Header {
	for name := range h {
		if slices.Contains(excluded, name) || strings.HasPrefix(name, http.TrailerPrefix) {
			delete(h, name)
		}
	}
	return h
}

// statusLine is the status of an answer, as the client gets it.
func statusLine(code int) string {
	text := http.StatusText(code)
	if text == "" {
		text = "status code " + strconv.Itoa(code)
	}
	return fmt.Sprintf("%03d %s", code, text)
}
