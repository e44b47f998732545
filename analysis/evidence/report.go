package evidence

import "strings"

// A report of the noise runtime has one of the first four lines with the name of a
// test after it, goroutines as in a dump, and the last line. Goroutines that were
// waiting when a test failed are stacks of that failure, and none by themselves.
const (
	waitingStart  = "mendel: goroutines waiting at the failure of "
	blockedStart  = "mendel: goroutines blocked for ever in "
	failureStart  = "mendel: goroutines blocked at the failure of "
	deadlockStart = "mendel: deadlock in "
	reportEnd     = "mendel: end of report"
)

// report parses a report of the noise runtime.
func (p *parser) report() bool {
	for _, start := range []string{blockedStart, failureStart, deadlockStart, waitingStart} {
		if test, ok := strings.CutPrefix(p.line, start); ok {
			p.next()
			if all := p.reported(); len(all) > 0 {
				p.takeReport(start, test, all)
			}
			return true
		}
	}
	return false
}

// reported parses the goroutines of a report, and its end.
func (p *parser) reported() []Goroutine {
	var all []Goroutine
	for p.more() && p.line != reportEnd {
		if g, ok := p.goroutine(); ok {
			all = append(all, g)
		} else if p.line == "" {
			p.next()
		} else {
			break // cut off
		}
	}
	return all
}

func (p *parser) takeReport(start, test string, all []Goroutine) {
	any := func(hold) bool { return true }
	kind := Blocked
	switch start {
	case waitingStart:
		p.tests.wait(test, stacksOf(all, any))
		return
	case deadlockStart:
		kind = Deadlock
	}
	f := blockedFailure(kind, all, any)
	f.Test = test
	if start == failureStart { // they may have been freed afterwards
		f.Message = strings.Replace(f.Message, "blocked for ever", "blocked when the test failed", 1)
	}
	p.add(f)
}
