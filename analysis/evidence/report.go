package evidence

import "strings"

// A report of the noise runtime has one of the first two lines with the name of a
// test after it, goroutines as in a dump, and the last line.
const (
	blockedStart  = "mendel: goroutines blocked for ever in "
	deadlockStart = "mendel: deadlock in "
	reportEnd     = "mendel: end of report"
)

// report parses a report of the noise runtime.
func (p *parser) report() bool {
	kind := Blocked
	test, ok := strings.CutPrefix(p.line, blockedStart)
	if !ok {
		kind = Deadlock
		if test, ok = strings.CutPrefix(p.line, deadlockStart); !ok {
			return false
		}
	}
	p.next()
	var goroutines []Goroutine
	for p.more() && p.line != reportEnd {
		if g, ok := p.goroutine(); ok {
			goroutines = append(goroutines, g)
		} else if p.line == "" {
			p.next()
		} else {
			break // cut off
		}
	}
	if len(goroutines) > 0 {
		f := blockedFailure(kind, goroutines, func(hold) bool { return true })
		f.Test = test
		p.add(f)
	}
	return true
}
