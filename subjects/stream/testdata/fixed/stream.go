// Package stream moves frames from a source to a consumer.
package stream

import "sync"

// A Stream is a sequence of frames that its source writes and its consumer
// reads. Either side may end it at any time.
type Stream struct {
	frames chan []byte
	done   chan struct{} // closed when the stream is

	mu     sync.Mutex // guards what follows
	closed bool
	bytes  int
	reason string // of the first Close
}

// New makes a stream that holds up to n frames that were not read yet.
func New(n int) *Stream {
	return &Stream{frames: make(chan []byte, n), done: make(chan struct{})}
}

// Write adds a frame and reports whether the stream was open.
func (s *Stream) Write(frame []byte) bool {
	select {
	case <-s.done:
		return false
	case s.frames <- frame:
	}
	s.mu.Lock()
	s.bytes += len(frame)
	s.mu.Unlock()
	return true
}

// Read takes the next frame; ok is false when the stream is closed.
func (s *Stream) Read() (frame []byte, ok bool) {
	select {
	case frame := <-s.frames:
		return frame, true
	case <-s.done:
		return nil, false
	}
}

// Close ends the stream, unless it has ended. The first reason counts.
func (s *Stream) Close(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	close(s.done)
	s.closed = true
	s.reason = reason
}

// Closed says whether the stream is closed, and why.
func (s *Stream) Closed() (reason string, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reason, s.closed
}

// Bytes is how much was written.
func (s *Stream) Bytes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}
