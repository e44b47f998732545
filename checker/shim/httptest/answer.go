package httptest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"runtime"
	"strconv"
	"strings"
	gotime "time"

	"mendel/checker/sched"
)

// Sizes of the real server's buffers.
const (
	knownBuffer = 2 << 10 // the length of an answer that fits is known when the handler returns
	connBuffer  = 4 << 10 // what is longer is sent before
)

// An answer is the http.ResponseWriter of a handler.
type answer struct {
	exchange *exchange
	header   http.Header // the handler's
	head     http.Header // as it was when WriteHeader was called
	code     int         // 0: not yet
	length   int64       // that the handler has declared; -1: none
	buf      []byte      // not yet sent
	written  int64
	stream   *stream // where the rest goes; nil: nothing was sent yet
	duplex   bool
	returned bool // the handler has
	ended    bool
}

func newAnswer(x *exchange) *answer {
	return &answer{exchange: x, header: http.Header{}, length: -1}
}

// Header is the header to be sent.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader decides the status.
func (a *answer) WriteHeader(code int) {
	sched.WriteObject(a)
	if code < 100 || code > 999 {
		panic(fmt.Sprintf("invalid WriteHeader code %v", code))
	}
	switch {
	case a.code != 0:
		a.exchange.server.logf("http: superfluous response.WriteHeader call")
		return
	case code < 200 && code != http.StatusSwitchingProtocols:
		return // the client does not see it
	}
	a.code, a.head = code, sched.MapR(a.header).Clone()
	if n, err := strconv.ParseInt(strings.TrimSpace(a.head.Get("Content-Length")), 10, 64); err == nil && n >= 0 {
		a.length = n
	} else {
		a.head.Del("Content-Length")
	}
}

// bodyAllowed reports whether the status lets an answer have a body.
func (a *answer) bodyAllowed() bool {
	return a.code >= 200 && a.code != http.StatusNoContent && a.code != http.StatusNotModified
}

func (a *answer) isHead() bool { return a.exchange.request.Method == http.MethodHead }

// Write adds to the body.
func (a *answer) Write(p []byte) (int, error) {
	sched.ReadElements(p)
	return a.write(string(p))
}

// WriteString adds to the body.
func (a *answer) WriteString(s string) (int, error) { return a.write(s) }

func (a *answer) write(s string) (int, error) {
	sched.WriteObject(a)
	if a.ended {
		return 0, http.ErrHandlerTimeout
	}
	if a.code == 0 {
		a.WriteHeader(http.StatusOK)
	}
	if len(s) == 0 {
		return 0, nil
	}
	if !a.bodyAllowed() {
		return 0, http.ErrBodyNotAllowed
	}
	if a.written += int64(len(s)); a.length >= 0 && a.written > a.length {
		return 0, http.ErrContentLength
	}
	a.buf = append(a.buf, s...)
	if len(a.buf) > connBuffer {
		a.send()
	}
	return len(s), nil
}

// Flush sends what there is.
func (a *answer) Flush() { a.FlushError() }

// FlushError is Flush. It fails when the client has gone.
func (a *answer) FlushError() error {
	sched.WriteObject(a)
	if a.ended {
		return http.ErrHandlerTimeout
	}
	if a.code == 0 {
		a.WriteHeader(http.StatusOK)
	}
	a.send()
	sched.Do(sched.Op{Kind: sched.KindLoad, Obj: &a.exchange.object, Read: true, What: "Flush"})
	if a.exchange.gone {
		return &net.OpError{Op: "write", Net: "tcp", Err: errGone{}}
	}
	return nil
}

type errGone struct{}

func (errGone) Error() string { return "connection closed by peer" }

// send sends what the handler has written so far.
func (a *answer) send() {
	if a.stream == nil {
		a.begin(newStream(), false)
	}
	if len(a.buf) > 0 && !a.isHead() {
		a.stream.put(a.buf, nil)
	}
	a.buf = nil
}

// end sends the rest: the handler has ended.
func (a *answer) end() {
	switch {
	case !a.returned && a.stream == nil:
		a.exchange.settle(nil, io.EOF)
	case !a.returned:
		a.stream.put(nil, io.ErrUnexpectedEOF)
	default:
		if a.code == 0 {
			a.WriteHeader(http.StatusOK)
		}
		err := io.EOF
		if a.length >= 0 && a.written != a.length && !a.isHead() && a.bodyAllowed() {
			err = io.ErrUnexpectedEOF
		}
		if a.stream == nil && len(a.buf) <= knownBuffer {
			a.begin(whole(a.buf, err), true)
			break
		}
		a.send()
		a.stream.put(nil, err)
	}
	a.ended = true
}

// begin sends the head of the answer. All is there if the handler has ended.
func (a *answer) begin(s *stream, all bool) {
	a.stream = s
	if !a.duplex {
		a.exchange.drain()
	}
	h := a.head
	trailers := h.Values("Trailer")
	if all && a.length < 0 && len(trailers) == 0 && a.bodyAllowed() && (!a.isHead() || len(a.buf) > 0) {
		a.length = int64(len(a.buf))
		h.Set("Content-Length", strconv.Itoa(len(a.buf)))
	}
	if _, has := h["Content-Type"]; !has && a.bodyAllowed() && len(a.buf) > 0 && h.Get("Content-Encoding") == "" {
		h.Set("Content-Type", http.DetectContentType(a.buf))
	}
	if h.Get("Date") == "" {
		h.Set("Date", sched.Start().UTC().Truncate(gotime.Second).Format(http.TimeFormat))
	}
	answer := &http.Response{
		Status: statusLine(a.code), StatusCode: a.code, Header: withoutExcluded(h), Body: http.NoBody, ContentLength: a.length,
		Proto: a.exchange.request.Proto, ProtoMajor: a.exchange.request.ProtoMajor, ProtoMinor: a.exchange.request.ProtoMinor,
		Close: strings.EqualFold(h.Get("Connection"), "close"),
	}
	if answer.Close {
		h.Del("Connection")
	}
	switch {
	case !a.bodyAllowed():
		answer.ContentLength = 0
	case a.isHead() || a.length == 0:
	default:
		b := &body{stream: s}
		answer.Body, answer.Trailer, b.trailer = b, declared(trailers), func() { a.trail(answer) }
		if a.length < 0 && answer.ProtoMajor == 1 {
			answer.TransferEncoding = []string{"chunked"}
		}
	}
	a.exchange.settle(answer, nil)
}

// declared are the fields of a trailer, without values.
func declared(trailers []string) http.Header {
	var h http.Header
	for _, list := range trailers {
		for name := range strings.SplitSeq(list, ",") {
			if name = textproto.TrimString(name); name != "" {
				if h == nil {
					h = http.Header{}
				}
				h[http.CanonicalHeaderKey(name)] = nil
			}
		}
	}
	return h
}

// trail gives the client the trailer.
func (a *answer) trail(to *http.Response) {
	for name, values := range a.header {
		if undeclared, ok := strings.CutPrefix(name, http.TrailerPrefix); ok {
			if to.Trailer == nil {
				to.Trailer = http.Header{}
			}
			to.Trailer[undeclared] = values
		} else if _, ok := to.Trailer[name]; ok {
			to.Trailer[name] = values
		}
	}
}

// EnableFullDuplex lets a handler answer before it has read the request.
func (a *answer) EnableFullDuplex() error {
	a.duplex = true
	return nil
}

// SetReadDeadline gives the execution up, unless it removes a deadline.
func (a *answer) SetReadDeadline(t gotime.Time) error { return deadline(t) }

// SetWriteDeadline gives the execution up, unless it removes a deadline.
func (a *answer) SetWriteDeadline(t gotime.Time) error { return deadline(t) }

func deadline(t gotime.Time) error {
	if !t.IsZero() {
		giveUp("a handler of a test server sets a deadline")
	}
	return nil
}

// Hijack gives the execution up.
func (a *answer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	giveUp("a handler of a test server takes over its connection")
	return nil, nil, http.ErrNotSupported
}

func giveUp(why string) {
	sched.GiveUp(why + ", which is not under control")
	runtime.Goexit()
}
