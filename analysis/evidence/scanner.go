package evidence

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// A scanner returns the lines of a text one at a time, without line ends. Test
// binaries put a mark before their own lines (-test.v=test2json). The mark starts a
// new line and is dropped, so that output without a newline before it does not hide
// the line. Since Go 1.27 they also put marks around the messages of t.Error and
// t.Fatal; these are dropped, too.
type scanner struct {
	line    string
	failure bool // a message of t.Error or t.Fatal begins in the line
	rest    string
	ok      bool
}

// Marks of -test.v=test2json: as package testing has them.
const (
	testMark     = "\x16"
	failureBegin = "\x0f"
	failureEnd   = "\x0e"
)

var failureMarks = strings.NewReplacer(failureBegin, "", failureEnd, "")

func newScanner(text string) *scanner {
	s := &scanner{rest: text, ok: true}
	s.next()
	return s
}

// more reports whether there is a current line.
func (s *scanner) more() bool { return s.ok }

// next moves to the next line.
func (s *scanner) next() {
	if s.rest == "" {
		s.line, s.ok = "", false
		return
	}
	end := strings.IndexAny(s.rest, "\n"+testMark)
	switch {
	case end < 0:
		s.line, s.rest = s.rest, ""
	default:
		s.line, s.rest = s.rest[:end], s.rest[end+1:]
	}
	s.line = strings.TrimRight(s.line, "\r")
	s.failure = strings.Contains(s.line, failureBegin)
	if s.failure || strings.Contains(s.line, failureEnd) {
		s.line = failureMarks.Replace(s.line)
	}
}

// bound cuts the middle out of a text that is too long.
func bound(text []byte) string {
	if len(text) <= maxText {
		return string(text)
	}
	return string(text[:maxText/2]) + "\n" + string(text[len(text)-maxText/2:])
}

// A section is what the tests of one package printed.
type section struct {
	pkg  string // import path; "" where the text does not say it
	text string
}

// unpack turns the output of go test -json into what the tests printed,
// package by package. Other text is returned as it is.
func unpack(text string) string {
	start := strings.TrimLeft(text, "\r\n \t")
	if !strings.HasPrefix(start, "{") || !strings.Contains(start[:min(len(start), 4096)], actionKey) {
		return text
	}
	var b strings.Builder
	for _, s := range events(text) {
		b.WriteString(s.text)
		b.WriteByte('\n')
	}
	return b.String()
}

// actionKey is in each line of go test -json.
const actionKey = `"Action":`

// events sorts the output of go test -json by package, in the order in which they
// begin. Lines that are no events are the go command's own messages. Output of no
// package is last.
func events(text string) []section {
	var order []string
	outputs := make(map[string]*strings.Builder)
	for s := newScanner(text); s.more(); s.next() {
		var event struct{ Package, ImportPath, Output, OutputType string }
		if !strings.HasPrefix(s.line, "{") {
			event.Output = s.line + "\n"
		} else if json.Unmarshal([]byte(s.line), &event) != nil {
			continue
		}
		key := event.Package + event.ImportPath
		if outputs[key] == nil {
			outputs[key] = new(strings.Builder)
			order = append(order, key)
		}
		if event.OutputType == "error" { // what go test has of the marks
			outputs[key].WriteString(failureBegin)
		}
		outputs[key].WriteString(event.Output)
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(min(len(b), 1), min(len(a), 1)) }) // "" last
	sections := make([]section, len(order))
	for i, key := range order {
		sections[i] = section{key, outputs[key].String()}
	}
	return sections
}
