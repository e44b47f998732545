package evidence

import (
	"regexp"
	"strconv"
	"strings"
)

// leakHeader begins a goroutine in the report of go.uber.org/goleak; the first of a
// list has a bracket before it.
var leakHeader = regexp.MustCompile(`^\[?Goroutine (\d+) in state ([^,]+)(?:, .*)?, with .* on top of the stack:$`)

// leaks parses the goroutines that goleak lists. It prints them through package
// testing, which indents them, or through TestMain, which does not. If none of them
// is blocked, the list stays a message of the test.
func (p *parser) leaks() bool {
	indent := p.line[:len(p.line)-len(strings.TrimLeft(p.line, " "))]
	if !leakHeader.MatchString(p.line[len(indent):]) {
		return false
	}
	var all []Goroutine
	var r stackReader
	for ; p.more(); p.next() {
		line, inside := strings.CutPrefix(p.line, indent)
		line = strings.TrimPrefix(line, " ") // package fmt puts one between the goroutines
		if m := leakHeader.FindStringSubmatch(line); m != nil && inside {
			id, _ := strconv.ParseInt(m[1], 10, 64)
			all = append(all, Goroutine{ID: max(id, 1), State: m[2]})
			r = stackReader{g: &all[len(all)-1]}
			continue
		}
		if !inside && line != "" || isTestLine(line) {
			break
		}
		if strings.HasPrefix(line, "]") {
			p.next()
			break
		}
		r.take(line)
	}
	blocked := func(h hold) bool { return h == awaits || h == stuck || h == dead }
	if stacks := stacksOf(all, blocked); len(stacks) > 0 {
		f := blockedFailure(Blocked, all, blocked)
		f.Test = p.tests.leaked()
		p.add(f)
	}
	return true
}
