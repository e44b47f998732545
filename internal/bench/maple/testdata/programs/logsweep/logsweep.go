// Package logsweep has the bug of the synthetic program LogProcSweep: the log is
// swept away while another goroutine still processes it.
package logsweep

import "sync/atomic"

// A Log has entries until it is swept.
type Log struct{ entries atomic.Pointer[[]string] }

// Append adds an entry. Only one goroutine appends.
func (l *Log) Append(s string) {
	var all []string
	if old := l.entries.Load(); old != nil {
		all = append(all, *old...)
	}
	all = append(all, s)
	l.entries.Store(&all)
}

// Process counts the bytes of the log.
func (l *Log) Process() (n int) {
	if l.entries.Load() == nil {
		return 0
	}
	for _, s := range *l.entries.Load() {
		n += len(s)
	}
	return n
}

// Sweep empties the log.
func (l *Log) Sweep() { l.entries.Store(nil) }
