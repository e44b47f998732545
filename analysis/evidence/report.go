package evidence

import "strings"

// A report of the noise runtime has one of the first three lines with the name of a
// test after it, goroutines as in a dump, and the last line.
const (
	blockedStart  = "mendel: goroutines blocked for ever in "
	failureStart  = "mendel: goroutines blocked at the failure of "
	deadlockStart = "mendel: deadlock in "
	reportEnd     = "mendel: end of report"
)

// report parses a report of the noise runtime.
func (p *parser) report() bool {
	kind := Blocked
	atFailure := false
	test, ok := strings.CutPrefix(p.line, blockedStart)
	if !ok {
		test, ok = strings.CutPrefix(p.line, failureStart)
		atFailure = ok
	}
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
		if atFailure { // it may have been freed afterwards
			f.Message = strings.Replace(f.Message, "blocked for ever", "blocked when the test failed", 1)
		}
		p.add(f)
	}
	return true
}
