// Package deadlock copies files held in memory, from several goroutines.
package deadlock

import (
	"bytes"
	"sync"
)

// A File has a name and contents. It may be used by several goroutines.
type File struct {
	name string

	mu     sync.Mutex // guards data and writes
	data   []byte
	writes int
}

// NewFile makes a file.
func NewFile(name, contents string) *File {
	return &File{name: name, data: []byte(contents)}
}

// Name is the file's name.
func (f *File) Name() string {
	return f.name
}

// Contents is what the file holds.
func (f *File) Contents() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return string(f.data)
}

// Writes counts how often the file was written.
func (f *File) Writes() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.writes
}

// Append adds text at the end of the file.
func (f *File) Append(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.data = append(f.data, text...)
	f.writes++
}

// Copy replaces the contents of dst by those of src.
func Copy(dst, src *File) {
	src.mu.Lock()
	data := bytes.Clone(src.data)
	src.mu.Unlock()

	// Never both locks at once: somebody may be copying the other way.
	dst.mu.Lock()
	dst.data = data
	dst.writes++
	dst.mu.Unlock()
}
