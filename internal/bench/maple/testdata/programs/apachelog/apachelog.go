// Package apachelog has the bug of Apache #25520: two goroutines read where the log
// buffer ends, copy their text there, and then move the end.
package apachelog

import "sync/atomic"

// A Buffer collects lines.
type Buffer struct {
	end  atomic.Int64
	data [256]atomic.Uint32
}

// Write adds a line.
func (b *Buffer) Write(line string) {
	at := b.end.Load()
	for i := range len(line) {
		b.data[int(at)+i].Store(uint32(line[i]))
	}
	b.end.Store(at + int64(len(line)))
}

// String is what was written.
func (b *Buffer) String() string {
	var text []byte
	for i := range b.end.Load() {
		text = append(text, byte(b.data[i].Load()))
	}
	return string(text)
}
