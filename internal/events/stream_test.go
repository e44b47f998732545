package events

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"mendel/evolve"
	"mendel/internal/result"
	"mendel/mutate"
)

// told are the lines that a stream writes, without times.
func told(t *testing.T, use func(s *Stream)) []string {
	t.Helper()
	var b bytes.Buffer
	l := NewLines(&b)
	use(NewStream(l.Tell))
	if err := l.Err(); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for text := range strings.Lines(b.String()) {
		var event map[string]any
		if err := json.Unmarshal([]byte(text), &event); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		delete(event, "time")
		delete(event, "seconds")
		text, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(text))
	}
	return lines
}

func equal(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestStream(t *testing.T) {
	mutant := &mutate.Mutant{Edits: []mutate.Edit{{Operator: "addlock", File: "a.go", Line: 3}}}
	got := told(t, func(s *Stream) {
		s.Begin(Begin{Mendel: "v1", Command: "repair", Directory: "/d"})
		s.Phase("loading %s", "a")
		s.Search(evolve.Event{}) // none has begun
		s.Search(evolve.Event{Generation: 1, Evaluations: 2, Best: 900, Original: 500, Mutant: mutant})
		s.Search(evolve.Event{Generation: 1, Evaluations: 3, Best: 900, Mean: 700.5, Edits: 9, Done: true})
		s.Printf("a line\n")
		s.End(End{Exit: 1, Result: json.RawMessage("{\n  \"a\": \"<b>\"\n}\n")})
		s.Printf("too late")
	})
	equal(t, got,
		`{"arguments":[],"command":"repair","directory":"/d","mendel":"v1","type":"begin","version":1}`,
		`{"text":"loading a","type":"phase"}`,
		`{"best":900,"complete":false,"generation":1,"mutant":"addlock at a.go:3","original":500,"scored":2,"type":"search"}`,
		`{"best":900,"complete":true,"edits":9,"generation":1,"mean":700.5,"scored":3,"type":"search"}`,
		`{"text":"a line","type":"line"}`,
		`{"exit":1,"result":{"a":"\u003cb\u003e"},"type":"end"}`,
	)
}

// What concerns a part has its name as a key, also where others are told beside the
// stream, and others have it in the text.
func TestParts(t *testing.T) {
	var log heard
	got := told(t, func(s *Stream) {
		o := result.Named(result.Both(&log, s), "1-cache")
		o.Phase("loading")
		inner := result.Named(o, "failure 1 of 2")
		inner.Printf("a line")
		inner.Search(evolve.Event{Of: "x", Generation: 1, Done: true})
	})
	equal(t, got,
		`{"of":"1-cache","text":"loading","type":"phase"}`,
		`{"of":"1-cache: failure 1 of 2","text":"a line","type":"line"}`,
		`{"best":0,"complete":true,"generation":1,"of":"1-cache: failure 1 of 2: x","scored":0,"type":"search"}`,
	)
	equal(t, log, "1-cache: loading", "1-cache: failure 1 of 2: a line", "1-cache: failure 1 of 2: x")
}

// heard is an observer that keeps texts.
type heard []string

func (h *heard) Phase(format string, args ...any)  { *h = append(*h, fmt.Sprintf(format, args...)) }
func (h *heard) Printf(format string, args ...any) { h.Phase(format, args...) }
func (h *heard) Search(e evolve.Event)             { *h = append(*h, e.Of) }

// Events of several goroutines do not mix, and each is one write.
func TestConcurrent(t *testing.T) {
	var lines []string
	l := NewLines(writer(func(p []byte) (int, error) {
		lines = append(lines, string(p)) // the stream tells one event at a time
		return len(p), nil
	}))
	s := NewStream(l.Tell)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				s.Printf("a line")
			}
		})
	}
	wg.Wait()
	s.End(End{})
	if len(lines) != 201 || !strings.Contains(lines[200], `"type":"end"`) {
		t.Errorf("%d lines, the last one %s", len(lines), lines[len(lines)-1])
	}
	for _, line := range lines {
		if !json.Valid([]byte(line)) || strings.Count(line, "\n") != 1 {
			t.Errorf("written: %q", line)
		}
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// After what could not be written nothing comes: a reader would miss something.
func TestBrokenWriter(t *testing.T) {
	calls := 0
	l := NewLines(writer(func(p []byte) (int, error) {
		if calls++; calls == 2 {
			return 0, errors.New("disk full")
		}
		return len(p), nil
	}))
	s := NewStream(l.Tell)
	for range 3 {
		s.Phase("x")
	}
	if err := l.Err(); calls != 2 || err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("%d calls, %v", calls, err)
	}
}
