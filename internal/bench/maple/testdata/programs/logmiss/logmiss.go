// Package logmiss has the bug that the paper extracted from MySQL (its figure 4):
// the log is closed in one critical section and opened in another one, and what is
// logged between them is lost.
package logmiss

import "sync"

// A Log is rotated while others write to it.
type Log struct {
	mu      sync.Mutex
	open    bool
	files   int
	written int
}

// Open begins a file.
func (l *Log) Open() {
	l.mu.Lock()
	l.files++
	l.open = true
	l.mu.Unlock()
}

// Close ends the file.
func (l *Log) Close() {
	l.mu.Lock()
	l.open = false
	l.mu.Unlock()
}

// Rotate ends the file and begins another one.
func (l *Log) Rotate() {
	l.Close()
	l.Open()
}

// Write logs something, if the log is open at all.
func (l *Log) Write() {
	l.mu.Lock()
	if l.open {
		l.written++
	}
	l.mu.Unlock()
}
