package incremental

import "sync"

// Points are the points of one program, and a hash of the rest of it. Indices count
// through its files in the order in which they were marked.
type Points struct {
	paths []string
	texts [][16]byte // hashes
	index map[string]int
	rest  [32]byte
}

// Len is the number of points.
func (p *Points) Len() int { return len(p.texts) }

// Renumbered are the same points with other numbers, of which there are n: that of
// point i is numbers[i], or it is left out if that is negative.
func (p *Points) Renumbered(numbers []int, n int) *Points {
	q := &Points{paths: make([]string, n), texts: make([][16]byte, n), index: map[string]int{}, rest: p.rest}
	for i, number := range numbers {
		if number >= 0 {
			q.paths[number], q.texts[number] = p.paths[i], p.texts[i]
			q.index[p.paths[i]] = number + 1
		}
	}
	return q
}

// A Set is a set of points: bit i%8 of byte i/8.
type Set []byte

// changed are the points of p at which another program differs; same is false if the
// rest does.
func (p *Points) changed(other *Points) (differ Set, same bool) {
	if p.rest != other.rest {
		return nil, false
	}
	differ = make(Set, (p.Len()+7)/8)
	for i, path := range p.paths {
		if j := other.index[path]; j == 0 || other.texts[j-1] != p.texts[i] {
			differ[i/8] |= 1 << (i % 8)
		}
	}
	return differ, true
}

// in is a set of points of p in the numbers of another program, which has them all.
func (p *Points) in(other *Points, set Set) Set {
	if p == other {
		return set
	}
	there := make(Set, (other.Len()+7)/8)
	for i, path := range p.paths {
		if i/8 < len(set) && set[i/8]&(1<<(i%8)) != 0 {
			j := other.index[path] - 1
			there[j/8] |= 1 << (j % 8)
		}
	}
	return there
}

// meets reports whether two sets have a point in common.
func (s Set) meets(t Set) bool {
	for i := range min(len(s), len(t)) {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// A Memory has what executions came to. It is safe for concurrent use. Its zero value
// is empty.
type Memory[T any] struct {
	mu     sync.Mutex
	scopes map[string][]entry[T]
	size   int
}

// maxEntries bounds a memory, which then begins anew: some dozen megabytes. Guessed.
const maxEntries = 100_000

// An entry is what one execution came to.
type entry[T any] struct {
	key     string
	points  *Points
	reached Set
	value   T
}

// Add notes what the execution named by a key came to, in a program with points, having
// reached some of them. Only executions of one scope, which has all else that they depend
// on, are equal if their keys are.
func (m *Memory[T]) Add(scope, key string, points *Points, reached Set, value T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.size >= maxEntries || m.scopes == nil {
		m.scopes, m.size = map[string][]entry[T]{}, 0
	}
	m.scopes[scope] = append(m.scopes[scope], entry[T]{key, points, reached, value})
	m.size++
}

// A Known is what an execution comes to, and the points that it reaches.
type Known[T any] struct {
	Value   T
	Reached Set
}

// Find returns, by key, what executions of a scope come to in the program with points,
// which are those of the result.
func (m *Memory[T]) Find(scope string, points *Points) map[string]Known[T] {
	m.mu.Lock()
	entries := m.scopes[scope]
	m.mu.Unlock() // entries that are there do not change
	type difference struct {
		points Set
		same   bool
	}
	differences := map[*Points]difference{}
	found := map[string]Known[T]{}
	for _, e := range entries {
		if _, ok := found[e.key]; ok {
			continue
		}
		d, ok := differences[e.points]
		if !ok {
			d.points, d.same = e.points.changed(points)
			differences[e.points] = d
		}
		if d.same && !e.reached.meets(d.points) {
			found[e.key] = Known[T]{e.value, e.points.in(points, e.reached)}
		}
	}
	return found
}
