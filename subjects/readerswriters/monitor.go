// Package readerswriters lets many readers at a time, or a single writer, use
// a common pool of records.
package readerswriters

import "sync"

// A monitor admits readers and writers. Writers have precedence: no reader is
// admitted while a writer waits.
type monitor struct {
	mu      sync.Mutex // guards the counts
	changed *sync.Cond // some count is lower than before

	activeReaders, activeWriters   int
	waitingReaders, waitingWriters int
}

func newMonitor() *monitor {
	m := &monitor{}
	m.changed = sync.NewCond(&m.mu)
	return m
}

// allowReader reports whether a reader may go on.
func (m *monitor) allowReader() bool {
	return m.waitingWriters == 0 && m.activeWriters == 0
}

// allowWriter reports whether a writer may go on.
func (m *monitor) allowWriter() bool {
	return m.activeReaders == 0 && m.activeWriters == 0
}

// beforeRead waits until a reader may read.
func (m *monitor) beforeRead() {
	m.waitingReaders++
	for !m.allowReader() {
		m.changed.Wait()
	}
	m.waitingReaders--
	m.activeReaders++
}

// afterRead is called when a reader has read.
func (m *monitor) afterRead() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.activeReaders--
	m.changed.Broadcast()
}

// beforeWrite waits until a writer may write.
func (m *monitor) beforeWrite() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.waitingWriters++
	for !m.allowWriter() {
		m.changed.Wait()
	}
	m.waitingWriters--
	m.activeWriters++
}

// afterWrite is called when a writer has written.
func (m *monitor) afterWrite() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.activeWriters--
	m.changed.Broadcast()
}

// idle reports whether nobody reads, writes or waits.
func (m *monitor) idle() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.activeReaders+m.activeWriters+m.waitingReaders+m.waitingWriters == 0
}
