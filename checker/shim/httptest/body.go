package httptest

import (
	"compress/gzip"
	stdcontext "context"
	"errors"
	"io"

	"mendel/checker/sched"
	"mendel/checker/shim/context"
)

// A body is that of an answer, as the client gets it.
type body struct {
	exchange *exchange
	stream   *stream
	ctx      stdcontext.Context // of the request
	stop     func() bool        // ends the watch of ctx; nil: there is none
	trailer  func()             // fills in the trailer at the end
	closed   bool
	ended    bool
}

var errClosedBody = errors.New("http: read on closed response body")

// Read waits for what the handler writes, or for the end of the request's context.
func (b *body) Read(p []byte) (int, error) {
	if b.closed {
		return 0, errClosedBody
	}
	n, err, ok := b.stream.take(p, b.ctx.Done())
	if !ok {
		err = context.Cause(b.ctx)
	}
	if err != nil {
		if err == io.EOF && !b.ended && b.trailer != nil {
			b.trailer()
		}
		b.end()
	}
	return n, err
}

// Close ends the connection, if something was left to read.
func (b *body) Close() error {
	if b.closed {
		return nil
	}
	b.closed = true
	if !b.ended && b.stream.turn != nil {
		b.exchange.disconnect()
	}
	b.end()
	return nil
}

func (b *body) end() {
	if b.ended {
		return
	}
	b.ended = true
	if b.stop != nil {
		b.stop()
	}
	if b.exchange.over != nil {
		sched.Close(b.exchange.over)
	}
}

// An unzipped body was compressed without the client's knowledge.
type unzipped struct {
	*body
	reader *gzip.Reader
	err    error
}

func (u *unzipped) Read(p []byte) (int, error) {
	if u.reader == nil && u.err == nil {
		u.reader, u.err = gzip.NewReader(u.body)
	}
	if u.err != nil {
		return 0, u.err
	}
	return u.reader.Read(p)
}
