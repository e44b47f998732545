package events

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// Lines writes events as JSON, one a line. It is safe for concurrent use.
type Lines struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// NewLines writes events to w, each with one call of Write.
func NewLines(w io.Writer) *Lines { return &Lines{w: w} }

// Tell writes an event. After one that cannot be written no other is: a reader is not
// to miss some in the middle.
func (l *Lines) Tell(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // documents stay what they are
	if err := enc.Encode(e); err != nil {
		l.err = fmt.Errorf("encode an event: %w", err)
		return
	}
	if _, err := l.w.Write(b.Bytes()); err != nil {
		l.err = fmt.Errorf("write an event: %w", err)
	}
}

// Err is why not all events are written; nil if they are.
func (l *Lines) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
