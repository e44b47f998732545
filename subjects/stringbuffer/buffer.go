// Package stringbuffer is a string that can be changed in place, by several
// goroutines.
package stringbuffer

import (
	"fmt"
	"sync"
)

// initial is the capacity of a buffer that was made without text.
const initial = 16

// A Buffer holds text as bytes. Each method is safe for use by several
// goroutines. Positions that are out of range make the methods panic.
type Buffer struct {
	mu    sync.Mutex // guards value and count
	value []byte
	count int // bytes of value in use
}

// New makes a buffer with a text.
func New(text string) *Buffer {
	b := &Buffer{value: make([]byte, initial+len(text))}
	b.count = copy(b.value, text)
	return b
}

// Len is the length of the text.
func (b *Buffer) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count
}

// Cap is how long the text can become before the buffer has to grow.
func (b *Buffer) Cap() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.value)
}

// String returns the text.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.value[:b.count])
}

// At is the byte at position i.
func (b *Buffer) At(i int) byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.check(i, i+1)
	return b.value[i]
}

// GetChars copies the text from start to end to dst, which must have room.
func (b *Buffer) GetChars(start, end int, dst []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.check(start, end)
	copy(dst[:end-start], b.value[start:end])
}

// check panics unless start to end is a part of the text. The caller holds mu.
func (b *Buffer) check(start, end int) {
	if start < 0 || end < start || end > b.count {
		panic(fmt.Sprintf("stringbuffer: positions %d to %d in a text of length %d", start, end, b.count))
	}
}

// reserve makes room for n bytes more. The caller holds mu.
func (b *Buffer) reserve(n int) {
	if b.count+n <= len(b.value) {
		return
	}
	value := make([]byte, max(b.count+n, 2*len(b.value)+2))
	copy(value, b.value[:b.count])
	b.value = value
}
