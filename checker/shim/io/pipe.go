package io

import (
	"io"

	"mendel/checker/sched"
	"mendel/checker/shim/sync"
)

// An onceError keeps the first error that it is given.
type onceError struct {
	sync.Mutex
	err error
}

func (o *onceError) store(err error) {
	o.Lock()
	defer o.Unlock()
	if o.err == nil {
		o.err = err
	}
}

func (o *onceError) load() error {
	o.Lock()
	defer o.Unlock()
	return o.err
}

// A pipe takes the steps of the real one: a write offers its bytes until reads
// have taken all of them, one write at a time.
type pipe struct {
	writing sync.Mutex
	offered chan []byte
	taken   chan int

	once sync.Once
	done chan struct{} // closed with either end
	rerr onceError     // of the reader's Close
	werr onceError
}

// isDone reports whether an end was closed.
func (p *pipe) isDone() bool { return sched.SelectDefault(sched.From(p.done)) == 0 }

func (p *pipe) read(b []byte) (int, error) {
	if p.isDone() {
		return 0, p.readError()
	}
	from := sched.From(p.offered)
	if sched.Select(from, sched.From(p.done)) == 1 {
		return 0, p.readError()
	}
	n := sched.Copy(b, from.V)
	sched.Send(p.taken, n)
	return n, nil
}

func (p *pipe) write(b []byte) (n int, err error) {
	if p.isDone() {
		return 0, p.writeError()
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	for first := true; first || len(b) > 0; first = false {
		if sched.Select(sched.To(p.offered).Case(b), sched.From(p.done)) == 1 {
			return n, p.writeError()
		}
		some := sched.Recv(p.taken)
		b = b[some:]
		n += some
	}
	return n, nil
}

func (p *pipe) end() { p.once.Do(func() { sched.Close(p.done) }) }

func (p *pipe) readError() error {
	own := p.rerr.load()
	if err := p.werr.load(); own == nil && err != nil {
		return err
	}
	return ErrClosedPipe
}

func (p *pipe) writeError() error {
	own := p.werr.load()
	if err := p.rerr.load(); own == nil && err != nil {
		return err
	}
	return ErrClosedPipe
}

// A PipeReader is the read half of a pipe.
type PipeReader struct{ pipe }

// Read waits for a write, or for the end of the pipe, and takes bytes from it.
func (r *PipeReader) Read(data []byte) (n int, err error) { return r.pipe.read(data) }

// Close makes writes return [ErrClosedPipe].
func (r *PipeReader) Close() error { return r.CloseWithError(nil) }

// CloseWithError makes writes return an error. The first one counts.
func (r *PipeReader) CloseWithError(err error) error {
	if err == nil {
		err = ErrClosedPipe
	}
	r.rerr.store(err)
	r.end()
	return nil
}

// A PipeWriter is the write half of a pipe.
type PipeWriter struct{ r PipeReader }

// Write waits until reads have taken all bytes, or the pipe was closed.
func (w *PipeWriter) Write(data []byte) (n int, err error) { return w.r.pipe.write(data) }

// Close makes reads return [EOF].
func (w *PipeWriter) Close() error { return w.CloseWithError(nil) }

// CloseWithError makes reads return an error. The first one counts.
func (w *PipeWriter) CloseWithError(err error) error {
	if err == nil {
		err = io.EOF
	}
	w.r.werr.store(err)
	w.r.end()
	return nil
}

// Pipe makes a pipe.
func Pipe() (*PipeReader, *PipeWriter) {
	w := &PipeWriter{PipeReader{pipe{
		offered: sched.MakeChan[[]byte](0), taken: sched.MakeChan[int](0), done: sched.MakeChan[struct{}](0),
	}}}
	return &w.r, w
}
