package publisher

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"
)

// Errors of a Store and a Trail.
var (
	ErrExists = errors.New("there is a document of that name")
	ErrFull   = errors.New("the trail is full")
)

// A Store keeps documents by name. It may be used by several goroutines.
type Store struct {
	mu   sync.Mutex // guards docs
	docs map[string]Document
}

// Put keeps a document and returns how many there are.
func (s *Store) Put(d Document) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.docs[d.Name]; ok {
		return len(s.docs), ErrExists
	}
	if s.docs == nil {
		s.docs = make(map[string]Document)
	}
	s.docs[d.Name] = d
	return len(s.docs), nil
}

// Has reports whether there is a document of a name.
func (s *Store) Has(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.docs[name]
	return ok
}

// A Trail is a list of what was published, of limited length. It may be used
// by several goroutines.
type Trail struct {
	limit int

	mu      sync.Mutex // guards entries
	entries []string
}

// NewTrail makes a trail for up to limit entries.
func NewTrail(limit int) *Trail { return &Trail{limit: limit} }

// Append adds an entry and returns its number.
func (t *Trail) Append(entry string) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.entries) == t.limit {
		return 0, ErrFull
	}
	t.entries = append(t.entries, entry)
	return len(t.entries), nil
}

// Len is the number of entries.
func (t *Trail) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.entries)
}

// digest is what the trail says of a text.
func digest(text string, rounds int) string {
	sum := sha256.Sum256([]byte(text))
	for range rounds {
		sum = sha256.Sum256(sum[:])
	}
	return hex.EncodeToString(sum[:])
}
