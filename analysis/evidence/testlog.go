package evidence

import (
	"fmt"
	"regexp"
	"strings"
)

// raceNote is what package testing adds to a test in which a race was reported.
const raceNote = "race detected during execution of test"

var (
	failLine    = regexp.MustCompile(`^( *)--- FAIL: (\S+)(?: \(|$)`)
	messageLine = regexp.MustCompile(`^( +)(\S+\.go):(\d+): (.*)$`)
)

// A testMessage is one message of t.Log, t.Error or t.Fatal, which look the same in
// the text but for the marks of Go 1.27.
type testMessage struct {
	file, line, text string
	indent           int
	failure          bool // marked as one of t.Error or t.Fatal
}

// after is the message that tells more of a failure: the later one, unless only the
// earlier one is marked. Either may be nil.
func (m *testMessage) after(earlier *testMessage) *testMessage {
	if earlier != nil && earlier.failure && !m.failure {
		return earlier
	}
	return m
}

// maxMessage is how much of a message over several lines is kept, in bytes.
const maxMessage = 400

// continued reports whether a line continues the message, and takes it if so:
// package testing indents the following lines of a message by four more.
func (m *testMessage) continued(line string) bool {
	if m == nil || len(line) < m.indent+4 || strings.TrimLeft(line[:m.indent+4], " ") != "" {
		return false
	}
	if len(m.text) < maxMessage {
		m.text += " " + strings.TrimSpace(line[:min(len(line), maxMessage)])
	}
	return true
}

// A failedTest is a test with "--- FAIL".
type failedTest struct {
	name    string
	indent  int
	last    *testMessage
	crashed bool // a panic followed: that is the failure
}

// A testLog follows the output of package testing: which test runs, its messages,
// which one failed. With -v messages come before the verdict. Without it they come
// after the verdict, indented more deeply.
type testLog struct {
	current string                  // test named last by a "=== " line
	said    map[string]*testMessage // last message of tests without a verdict
	failed  []*failedTest
	open    []*failedTest      // failed tests that following messages may belong to, by indent
	latest  *testMessage       // read last, which the next line may continue
	waiting map[string][]Stack // goroutines that were waiting when a top-level test failed
}

// wait notes the goroutines that were waiting when a test failed.
func (t *testLog) wait(test string, stacks []Stack) {
	if t.waiting == nil {
		t.waiting = make(map[string][]Stack)
	}
	t.waiting[test] = stacks
}

func isTestLine(line string) bool {
	line = strings.TrimLeft(line, " ")
	return strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ")
}

// testLine takes a line printed by package testing.
func (p *parser) testLine() bool {
	t, line := &p.tests, p.line
	if !strings.HasPrefix(line, " ") && !isTestLine(line) {
		t.open, t.latest = t.open[:0], nil
		return false
	}
	if verb, ok := strings.CutPrefix(line, "=== "); ok {
		if _, name, ok := strings.Cut(verb, " "); ok {
			t.current = strings.TrimSpace(name)
		}
		t.open = t.open[:0]
	} else if m := failLine.FindStringSubmatch(line); m != nil {
		t.fail(m[2], len(m[1]))
	} else if m := messageLine.FindStringSubmatch(line); m != nil {
		t.message(&testMessage{file: m[2], line: m[3], text: m[4], indent: len(m[1]), failure: p.failure})
	} else if !t.latest.continued(line) {
		t.latest = nil
		return isTestLine(line) && p.skip()
	}
	p.next()
	return true
}

// skip consumes the current line.
func (p *parser) skip() bool {
	p.next()
	return true
}

func (t *testLog) fail(name string, indent int) {
	f := &failedTest{name: name, indent: indent, last: t.said[name]}
	delete(t.said, name)
	t.latest = nil
	if len(t.failed) < maxFailures {
		t.failed = append(t.failed, f)
	}
	t.close(indent)
	t.open = append(t.open, f)
}

// close forgets the open tests that are not around something indented this far.
func (t *testLog) close(indent int) {
	for len(t.open) > 0 && t.open[len(t.open)-1].indent >= indent {
		t.open = t.open[:len(t.open)-1]
	}
}

func (t *testLog) message(m *testMessage) {
	t.latest = m
	if strings.HasPrefix(m.text, raceNote) {
		return
	}
	if len(t.open) > 0 {
		t.close(m.indent)
		if n := len(t.open); n > 0 {
			t.open[n-1].last = m.after(t.open[n-1].last)
		}
		return
	}
	if t.said == nil {
		t.said = make(map[string]*testMessage)
	}
	if t.current != "" {
		t.said[t.current] = m.after(t.said[t.current])
	}
}

// crashed notes that a panic ended the test that failed last.
func (t *testLog) crashed() {
	for _, f := range t.open {
		f.crashed = true
	}
}

// leaked notes that the message read last was a list of goroutines, which are a
// failure of their own. It returns the test of that message, "" if there is none.
func (t *testLog) leaked() string {
	for _, f := range t.open {
		if f.last != nil && f.last == t.latest {
			f.last, t.latest = nil, nil
			return f.name
		}
	}
	if m := t.said[t.current]; m != nil && m == t.latest {
		delete(t.said, t.current)
		t.latest = nil
		return t.current
	}
	return ""
}

// failures are the tests that failed by their own assertions. Tests without a
// message of their own failed because of a subtest, a race or a crash; they
// are reported only when nothing else explains the run.
func (t *testLog) failures(explained bool) []Failure {
	var found []Failure
	for _, f := range t.failed {
		if f.crashed || f.last == nil && (explained || t.hasFailedSubtest(f.name)) {
			continue
		}
		failure := f.failure()
		top, _, _ := strings.Cut(f.name, "/")
		failure.Stacks = t.waiting[top]
		found = append(found, failure)
	}
	return found
}

func (t *testLog) hasFailedSubtest(name string) bool {
	for _, f := range t.failed {
		if strings.HasPrefix(f.name, name+"/") {
			return true
		}
	}
	return false
}

func (f *failedTest) failure() Failure {
	r := Failure{Kind: TestFailure, Test: f.name, Signature: string(TestFailure) + ": " + f.name, Message: f.name + " failed"}
	if m := f.last; m != nil {
		r.Signature += fmt.Sprintf(" %s:%s", base(m.file), m.line)
		r.Message = fmt.Sprintf("%s: %s:%s: %s", f.name, m.file, m.line, withoutEscapes(m.text))
	}
	return r
}
