package evolve

import (
	"errors"
	"slices"
	"strings"

	"mendel/mutate"
)

// A memory knows which sets of edits were built, with which result, so that
// nothing is built twice to be refused twice. It keeps no sources: a search
// may plan a thousand mutants of a large file.
type memory struct {
	sets    map[string]string // set of edits: hash of its source, "" when refused
	planned map[string]bool   // hashes
	order   [][]mutate.Edit   // of what was planned
	told    map[string]int    // by hash: how often it was mutated first where its failures are
	added   map[string]bool   // edits, by identity, that a planned mutation has added, alone or with others
}

func newMemory() *memory {
	return &memory{
		sets:    make(map[string]string),
		planned: make(map[string]bool),
		told:    make(map[string]int),
		added:   make(map[string]bool),
	}
}

// plan records a mutant as planned, and the edit that was added; nil if none was.
func (k *memory) plan(m *mutate.Mutant, added *choice) {
	k.planned[m.Hash] = true
	k.order = append(k.order, m.Edits)
	if added != nil {
		k.added[added.id] = true
	}
}

// build makes a mutant. It is nil when the space refuses the set of edits.
func (s *search) build(edits []mutate.Edit) (*mutate.Mutant, error) {
	m, err := s.space.Mutant(s.running, edits)
	var refusal *mutate.Refusal
	if errors.As(err, &refusal) {
		s.memory.sets[setID(edits)] = ""
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s.memory.sets[setID(edits)] = m.Hash
	s.memory.sets[setID(m.Edits)] = m.Hash // another set where there are composite edits
	return m, nil
}

// tried reports whether a set of edits was refused, or its source planned.
func (k *memory) tried(set string) bool {
	hash, known := k.sets[set]
	return known && (hash == "" || k.planned[hash])
}

// alone reports whether an edit was tried without any other.
func (k *memory) alone(ch *choice) bool {
	return k.tried(ch.id) // the identity of the set that it makes up
}

// setID identifies a set of edits, whatever their order.
func setID(edits []mutate.Edit) string {
	ids := make([]string, len(edits))
	for i := range edits {
		ids[i] = edits[i].Key().String()
	}
	slices.Sort(ids)
	return strings.Join(ids, "\x01")
}
