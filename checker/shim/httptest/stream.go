package httptest

import (
	"mendel/checker/sched"
)

// A stream is one direction of a connection: bytes that wait to be read, of which there
// may be any number.
type stream struct {
	object sched.Object
	turn   chan struct{} // has a value while there is something to read; nil: all is there
	data   []byte
	err    error // what reads get behind the data; nil: more may come
}

// whole is a stream to which nothing comes any more.
func whole(data []byte, err error) *stream { return &stream{data: data, err: err} }

func newStream() *stream { return &stream{turn: sched.MakeChan[struct{}](1)} }

// put adds bytes and, if err is not nil, ends the stream. Behind the end nothing is added.
func (s *stream) put(p []byte, err error) {
	if s.turn == nil {
		return
	}
	sched.SelectDefault(sched.To(s.turn).Case(struct{}{}))
	if s.err == nil {
		s.data = append(s.data, p...)
		s.err = err
	}
	sched.Release(&s.object)
}

// take reads. It fails with ok false when done is closed before.
func (s *stream) take(p []byte, done <-chan struct{}) (n int, err error, ok bool) {
	if s.turn == nil {
		n, err = s.next(p)
		return n, err, true
	}
	if len(p) == 0 {
		return 0, nil, true
	}
	if sched.Select(sched.From((<-chan struct{})(s.turn)), sched.From(done)) == 1 {
		return 0, nil, false
	}
	sched.Acquire(&s.object)
	n, err = s.next(p)
	if len(s.data) > 0 || s.err != nil {
		sched.SelectDefault(sched.To(s.turn).Case(struct{}{}))
	}
	return n, err, true
}

func (s *stream) next(p []byte) (int, error) {
	if len(s.data) == 0 {
		return 0, s.err
	}
	n := sched.Copy(p, s.data)
	s.data = s.data[n:]
	return n, nil
}
