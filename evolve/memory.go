package evolve

import (
	"errors"
	"slices"
	"strings"

	"mendel/mutate"
)

// A memory knows which sets of edits were built and what came of it, so that
// nothing is built twice to be refused twice.
type memory struct {
	sets    map[string]string         // set of edits: hash of its source, "" when refused
	mutants map[string]*mutate.Mutant // by hash, those that were planned
	came    map[string]bool           // edits, by identity, that a planned mutation brought in
}

func newMemory() *memory {
	return &memory{
		sets:    make(map[string]string),
		mutants: make(map[string]*mutate.Mutant),
		came:    make(map[string]bool),
	}
}

// seen returns the planned mutant that a set of edits gives. known is whether
// the set was built before; a known set without a mutant was refused.
func (k *memory) seen(edits []mutate.Edit) (m *mutate.Mutant, known bool) {
	hash, known := k.sets[setID(edits)]
	return k.mutants[hash], known
}

// add takes down a mutant as planned.
func (k *memory) add(m *mutate.Mutant) { k.mutants[m.Hash] = m }

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
	return m, nil
}

// setID identifies a set of edits, whatever their order.
func setID(edits []mutate.Edit) string {
	ids := make([]string, len(edits))
	for i := range edits {
		ids[i] = editID(&edits[i])
	}
	slices.Sort(ids)
	return strings.Join(ids, "\x01")
}
