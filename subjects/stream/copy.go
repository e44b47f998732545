package stream

import "fmt"

// Copy reads frames until the stream ends or has given limit bytes, and then
// closes it. It returns the number of bytes.
func Copy(s *Stream, limit int, consume func(frame []byte)) int {
	n := 0
	for n < limit {
		frame, ok := s.Read()
		if !ok {
			return n
		}
		consume(frame)
		n += len(frame)
	}
	s.Close(fmt.Sprintf("consumer: limit of %d bytes", limit))
	return n
}

// Feed writes frames and closes the stream after the last.
func Feed(s *Stream, frames [][]byte) int {
	for i, frame := range frames {
		if !s.Write(frame) {
			return i
		}
	}
	s.Close("source: at its end")
	return len(frames)
}
