package evolve

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/fitness"
	"mendel/mutate"
)

// A fakeSpace is a space without sources: a mutant's hash is its set of edits.
type fakeSpace struct {
	operators map[string]*mutate.Operator
	refuse    func(edits []mutate.Edit) bool
	same      func(edits []mutate.Edit) string // hash; nil: every set is a source of its own
	fail      error                            // of Mutant, when there are edits

	mu    sync.Mutex
	edits []mutate.Edit
	built map[string]int // how often each set was asked for
	no    map[string]int // how often each set was refused
}

func (s *fakeSpace) Edits() []mutate.Edit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.edits
}

func (s *fakeSpace) extend(edits ...mutate.Edit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.edits = append(slices.Clone(s.edits), edits...)
}

func (s *fakeSpace) Operator(name string) *mutate.Operator { return s.operators[name] }

func (s *fakeSpace) Mutant(ctx context.Context, edits []mutate.Edit) (*mutate.Mutant, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.built == nil {
		s.built, s.no = make(map[string]int), make(map[string]int)
	}
	s.built[setID(edits)]++
	if len(edits) > 0 && s.fail != nil {
		return nil, s.fail
	}
	if len(edits) > 0 && s.refuse != nil && s.refuse(edits) {
		s.no[setID(edits)]++
		return nil, fmt.Errorf("wrapped: %w", &mutate.Refusal{Edit: edits[0], Reason: "no"})
	}
	edits = plain(edits)
	slices.SortFunc(edits, func(a, b mutate.Edit) int { return strings.Compare(a.Key().String(), b.Key().String()) })
	hash := setID(edits)
	if s.same != nil {
		hash = s.same(edits)
	}
	return &mutate.Mutant{Edits: edits, Hash: hash}, nil
}

// plain puts the parts of composite edits in their place, each edit once.
func plain(edits []mutate.Edit) (flat []mutate.Edit) {
	for _, e := range edits {
		parts := e.Parts
		if len(parts) == 0 {
			parts = []mutate.Edit{e}
		}
		for _, p := range parts {
			if !slices.ContainsFunc(flat, func(o mutate.Edit) bool { return o.Key().String() == p.Key().String() }) {
				flat = append(flat, p)
			}
		}
	}
	return flat
}

// composite stands for edits; it has the place of the first.
func composite(operator string, parts ...mutate.Edit) mutate.Edit {
	e := parts[0]
	e.Operator, e.Parts = operator, parts
	return e
}

// heat is that of the places a race names, of the functions around them, of
// those that touch the same variables, and of all the rest.
func heat(site int) float64 {
	switch {
	case site < 4:
		return 1
	case site < 10:
		return 0.5
	case site < 20:
		return 0.25
	}
	return 0
}

// grid makes a space of sites × operators × locks, hottest first.
func grid(sites int, operators []string, locks int) *fakeSpace {
	s := &fakeSpace{operators: make(map[string]*mutate.Operator)}
	for _, op := range operators {
		s.operators[op] = &mutate.Operator{Name: op, Adds: true}
	}
	for site := range sites {
		for _, op := range operators {
			for lock := range max(1, locks) {
				e := edit(op, site)
				e.Heat = heat(site)
				if locks > 0 {
					e.Lock = &analysis.Lock{Expr: fmt.Sprintf("l%d", lock), Key: fmt.Sprintf("pkg.l%d", lock)}
				}
				s.edits = append(s.edits, e)
			}
		}
	}
	return s
}

func edit(operator string, node int) mutate.Edit {
	return mutate.Edit{Operator: operator, File: "bank.go", Line: node + 1, Node: node}
}

// has reports whether a mutant has an operator's edit at a node.
func has(m *mutate.Mutant, operator string, node int) bool {
	return slices.ContainsFunc(m.Edits, func(e mutate.Edit) bool { return e.Operator == operator && e.Node == node })
}

// A fakeEvaluator scores by a function and counts.
type fakeEvaluator struct {
	score func(m *mutate.Mutant) float64
	// distinct is how many failures a failed run shows; nil: it is not known.
	distinct func(m *mutate.Mutant) float64
	// before is called, if not nil, before each score; an error is Evaluate's.
	before func(ctx context.Context, m *mutate.Mutant) error

	mu    sync.Mutex
	calls map[string]int
}

func (e *fakeEvaluator) Evaluate(ctx context.Context, m *mutate.Mutant) (fitness.Result, error) {
	e.mu.Lock()
	if e.calls == nil {
		e.calls = make(map[string]int)
	}
	e.calls[m.Hash]++
	e.mu.Unlock()
	if e.before != nil {
		if err := e.before(ctx, m); err != nil {
			return fitness.Result{}, err
		}
	}
	r := resultOf(e.score(m))
	if e.distinct != nil {
		r.Distinct = e.distinct(m)
	}
	return r, ctx.Err()
}

func (e *fakeEvaluator) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.calls)
}

// resultOf is the result of 15 runs that pass, or race.
func resultOf(score float64) fitness.Result {
	passes := int(score * 15 / 1000)
	r := fitness.Result{Score: score, Runs: 15, Passes: passes, Failures: map[evidence.Kind]int{}}
	if passes < 15 {
		r.Failures[evidence.Race] = 15 - passes
	}
	return r
}

// chance is a number in [0,1) that follows from a salt and a mutant.
func chance(salt string, edits []mutate.Edit) float64 {
	h := fnv.New64a()
	h.Write([]byte(salt))
	h.Write([]byte(setID(edits)))
	return float64(mix(h.Sum64())>>11) / (1 << 53)
}
