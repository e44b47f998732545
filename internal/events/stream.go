package events

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"mendel/evolve"
	"mendel/internal/result"
)

// A Stream is where a command tells what it does. It is an Observer, and safe for
// concurrent use.
type Stream struct {
	mu    sync.Mutex // held while an event is told, so that they come one by one
	tell  func(Event)
	began time.Time
	ended bool
}

// NewStream returns a stream that gives each event to a function, one at a time.
func NewStream(tell func(Event)) *Stream { return &Stream{tell: tell, began: time.Now()} }

// Begin tells that the command begins; it fills in the version of the format.
func (s *Stream) Begin(b Begin) {
	b.Version = Version
	if b.Arguments == nil {
		b.Arguments = []string{}
	}
	s.add(&b)
}

// End tells that the command ends, and after how long. What comes later is not told.
func (s *Stream) End(e End) {
	e.Seconds = time.Since(s.began).Seconds()
	s.add(&e)
}

// Phase tells what is done from now on.
func (s *Stream) Phase(format string, args ...any) { part{s, ""}.Phase(format, args...) }

// Search tells of a step of a search.
func (s *Stream) Search(e evolve.Event) { part{s, ""}.Search(e) }

// Printf tells a line of the log.
func (s *Stream) Printf(format string, args ...any) { part{s, ""}.Printf(format, args...) }

// Part is an Observer of a part of the work.
func (s *Stream) Part(name string) result.Observer { return part{s, name} }

// add tells an event, with its type and the time.
func (s *Stream) add(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	_, s.ended = e.(*End)
	*e.head() = Head{Type: e.kind(), Time: time.Now()}
	s.tell(e)
}

// A part tells a stream of a part of the work.
type part struct {
	stream *Stream
	of     string // "": all of it
}

func (p part) Part(name string) result.Observer { return part{p.stream, join(p.of, name)} }

func (p part) Phase(format string, args ...any) {
	p.stream.add(&Phase{Of: p.of, Text: line(format, args)})
}

func (p part) Printf(format string, args ...any) {
	p.stream.add(&Line{Of: p.of, Text: line(format, args)})
}

func (p part) Search(e evolve.Event) {
	if e.Generation == 0 && e.Mutant == nil {
		return // the search before is over, and another one has not begun
	}
	s := Search{
		Of: join(p.of, e.Of), Generation: e.Generation, Complete: e.Done, Scored: e.Evaluations,
		Best: e.Best, Original: e.Original, Mean: e.Mean, Edits: e.Edits,
	}
	if e.Mutant != nil {
		s.Mutant = result.Describe(e.Mutant.Edits)
	}
	p.stream.add(&s)
}

// join is the name of a part of a part.
func join(of, name string) string {
	if of == "" || name == "" {
		return of + name
	}
	return of + ": " + name
}

func line(format string, args []any) string {
	return strings.TrimRight(fmt.Sprintf(format, args...), "\n")
}
