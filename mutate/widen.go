package mutate

import (
	"cmp"
	"slices"

	"mendel/analysis"
)

// firstEdits is how many edits a space lists at first. In a large program most are far
// from the evidence, and hours go by before a search comes to them: 20,000 evaluations
// take more than an hour on two processors. Guessed.
const firstEdits = 20_000

// Widen lists the edits of more functions, twice as many edits as there are, and reports
// whether any were left. At first a space lists those of the functions near the evidence
// and, if these are fewer than 20,000 edits, of others, the nearest first.
func (s *Space) Widen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last.left == 0 {
		return false
	}
	s.wanted = 2 * max(s.wanted, len(s.edits))
	s.enumerate()
	return !s.ended()
}

// Left is how many functions there are whose edits are not listed yet.
func (s *Space) Left() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.last.left
}

// byNearness orders functions without heat by how near to the evidence they are: first
// those of a file in which some function has heat, then those of such a package, then
// the others; otherwise they stay as they are.
func byNearness(functions, all []*Function) []*Function {
	files, packages := make(map[*analysis.File]float64), make(map[*analysis.Package]float64)
	for _, fn := range all {
		heat, f := fn.heat(), fn.File
		files[f], packages[f.Package] = max(files[f], heat), max(packages[f.Package], heat)
	}
	return slices.SortedStableFunc(slices.Values(functions), func(a, b *Function) int {
		return cmp.Or(cmp.Compare(files[b.File], files[a.File]), cmp.Compare(packages[b.File.Package], packages[a.File.Package]))
	})
}

// unlistedIn are the edits of single operators in those of some functions whose edits are
// not listed.
func (s *Space) unlistedIn(functions ...*Function) (edits []Edit) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.last.left == 0 || s.ended() {
		return nil
	}
	asked := make(map[*Function]bool)
	for _, fn := range functions {
		if s.last.found[fn] == nil && !asked[fn] && slices.Contains(s.last.functions, fn) {
			asked[fn] = true
			for _, op := range s.operators {
				edits = append(edits, s.editsOf(op, fn)...)
			}
		}
	}
	return edits
}
