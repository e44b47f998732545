// Package stringbuffer has the bug of java.lang.StringBuffer: Append asks another
// buffer for its length, and then for that many bytes.
package stringbuffer

import "sync"

// A Buffer is safe for concurrent use.
type Buffer struct {
	mu   sync.Mutex
	data []byte
}

// Len is the number of bytes.
func (b *Buffer) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.data)
}

// Bytes copies the first n bytes.
func (b *Buffer) Bytes(n int) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]byte(nil), b.data[:n:len(b.data)]...)
}

// Reset empties the buffer.
func (b *Buffer) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.data = nil
}

// Append adds what another buffer holds.
func (b *Buffer) Append(o *Buffer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := o.Len()
	b.data = append(b.data, o.Bytes(n)...)
}
