package mutate

import (
	"context"
	"fmt"
	"go/ast"
	"maps"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/order"
	lockwaits "mendel/analysis/locks/waits"
)

// flags are those of some edits that have given a mutant, and of their combination: what
// holding locks longer, or more of them, has led to, as the model of the printed source says.
// What the original does already is not held against a mutant, nor is a lock nested in another
// where no ring of such acquisitions can close.
func (s *Space) flags(ctx context.Context, m *Mutant, now *locks.Model) ([]Flag, error) {
	flags := edited(m.Edits)
	nests, err := order.NestsMore(now, ctx)
	if err != nil {
		return nil, fmt.Errorf("look for locks that a mutant nests: %w", err)
	}
	flags[Nested] = nests
	flags[Blocks] = flags[Blocks] || lockwaits.WaitsMore(now)
	flags[Serialises] = flags[Serialises] || lockwaits.Serialises(now, m.OriginalLine)
	return sorted(flags), nil
}

// edited are the flags of edits but for Nested, which is for their combination to say.
func edited(edits []Edit) map[Flag]bool {
	flags := make(map[Flag]bool)
	for _, e := range edits {
		for _, f := range e.Flags {
			flags[f] = f != Nested
		}
	}
	return flags
}

func sorted(flags map[Flag]bool) []Flag {
	maps.DeleteFunc(flags, func(_ Flag, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(flags))
}

// foresees is a filter of edits that are listed and not built: the flags that a mutation is
// sure to have, as far as the edited trees show, without their types. Those of the mutant may
// be more: locks that only callees or callers take are not seen, but for two locks with one
// key that a function nests itself no other order is asked for.
func (s *Space) foresees(m *Mutation, edits []Edit) []Flag {
	flags := edited(edits)
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		more := s.holding.Edited(m.files[name], m.acquires).Adds(func(fn ast.Node) bool { return s.index.started[fn] })
		flags[Nested] = flags[Nested] || more.Nests
		flags[Blocks] = flags[Blocks] || more.Waits
		flags[Serialises] = flags[Serialises] || more.Serialises
	}
	return sorted(flags)
}
