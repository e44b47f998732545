package evidence

import (
	"slices"
	"strings"
)

// Limits that keep one run's evidence small whatever it printed.
const (
	maxText     = 16 << 20 // bytes read: of more, the first and the last half
	maxFailures = 256      // different failures kept from one text
	maxStacks   = 64       // stacks kept of one failure
	maxFrames   = 128      // calls kept of one stack: the innermost
)

// Parse finds every failure in the output of a test run, or in a file that
// holds a race report, a panic or a goroutine dump. Equal failures are given
// once. The order is race, deadlock, blocked, panic, test-failure, timeout and,
// within a kind, that of the text. It never fails; nothing recognisable gives nil.
func Parse(text []byte) []Failure { return parse(unpack(bound(text))) }

func parse(text string) []Failure {
	p := &parser{scanner: newScanner(text)}
	for p.more() {
		if !p.race() && !p.report() && !p.leaks() && !p.profile() && !p.crash() && !p.testLine() {
			p.next()
		}
	}
	found := append(p.found, p.tests.failures(len(p.found) > 0)...)
	return fold(found)
}

// A parser collects failures. Each of its recognisers (race, report, leaks,
// profile, crash, testLine) looks at the current line and either leaves it and returns false,
// or consumes at least that line and returns true.
type parser struct {
	*scanner
	found []Failure
	tests testLog
}

func (p *parser) add(f Failure) {
	if len(p.found) >= maxFailures {
		return
	}
	if len(f.Stacks) > maxStacks {
		f.Stacks = f.Stacks[:maxStacks]
	}
	if f.Test == "" {
		f.Test = testOf(f.Stacks)
	}
	if f.Test == "" {
		f.Test = p.tests.current
	}
	p.found = append(p.found, f)
}

// fold drops repeated signatures and sorts by kind.
func fold(found []Failure) []Failure {
	seen := make(map[string]bool)
	var kept []Failure
	for _, f := range found {
		if !seen[f.Signature] {
			seen[f.Signature] = true
			kept = append(kept, f)
		}
	}
	slices.SortStableFunc(kept, func(a, b Failure) int { return a.Kind.Rank() - b.Kind.Rank() })
	return kept
}

// testOf finds the test that a failure belongs to from the functions in its
// stacks; "" when they name none, or more than one.
func testOf(stacks []Stack) string {
	name := ""
	for _, s := range stacks {
		for _, frames := range [][]Frame{s.Frames, s.Created} {
			for _, f := range frames {
				t := testName(f.Func)
				if t == "" {
					continue
				}
				if name != "" && name != t {
					return ""
				}
				name = t
			}
		}
	}
	return name
}

// testName is "TestX" for the functions pkg.TestX and pkg.TestX.func1.
func testName(fn string) string {
	name, _, _ := strings.Cut(ShortFunc(fn), ".")
	rest, ok := strings.CutPrefix(name, "Test")
	if !ok || strings.HasPrefix(fn, "testing.") || rest != "" && rest[0] >= 'a' && rest[0] <= 'z' {
		return ""
	}
	return name
}
