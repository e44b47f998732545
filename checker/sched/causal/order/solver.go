package order

// A Lit is a literal.
type Lit int32

// Not returns the negation of l.
func (l Lit) Not() Lit { return l ^ 1 }

func (l Lit) variable() int { return int(l >> 1) }

// A Solver holds constraints on events 0 to n-1. Make one with New.
type Solver struct {
	graph
	pairs [][2]int32         // by variable: positive literal says the first comes before the second; {-1, -1}: none
	atoms map[[2]int32]int32 // variables by pair, the smaller event first

	clauses [][]Lit
	watches [][]int32 // by literal: the clauses that watch it
	values  []int8    // by literal: 1 true, -1 false, 0 unknown
	levels  []int32   // by variable
	reasons []int32   // by variable: clause, or none
	phases  []bool    // by variable: its positive literal is tried first
	marked  []bool    // scratch
	queue   queue

	trail      []Lit
	propagated int   // of trail
	limits     []int // length of trail at the decisions
	failed     bool  // the clauses contradict each other
	work       int
	limit      int // of work, 0: none
}

const none = -1

// New returns a solver for events 0 to n-1.
func New(n int) *Solver {
	s := &Solver{atoms: map[[2]int32]int32{}}
	s.graph.init(n)
	return s
}

// Work counts the literals that were propagated so far: a measure of time that
// depends on no machine.
func (s *Solver) Work() int { return s.work }

// Limit bounds the work of each Solve from here on; 0: no bound.
func (s *Solver) Limit(work int) { s.limit = work }

// Event adds an event and returns its number.
func (s *Solver) Event() int {
	s.undo(0)
	return s.graph.add()
}

// Before returns the literal "a comes before b". It panics if they are the same.
// Tried first is that the smaller number comes first.
func (s *Solver) Before(a, b int) Lit {
	switch {
	case a == b:
		panic("order: an event before itself")
	case a > b:
		return s.Before(b, a).Not()
	}
	pair := [2]int32{int32(a), int32(b)}
	v, ok := s.atoms[pair]
	if !ok {
		v = s.variable(pair)
		s.atoms[pair] = v
	}
	return Lit(v << 1)
}

// Bool returns the positive literal of a new boolean. Tried first is that it is
// false.
func (s *Solver) Bool() Lit {
	v := s.variable([2]int32{none, none})
	s.phases[v] = false
	return Lit(v << 1)
}

func (s *Solver) variable(pair [2]int32) int32 {
	v := len(s.pairs)
	s.pairs = append(s.pairs, pair)
	s.values = append(s.values, 0, 0)
	s.watches = append(s.watches, nil, nil)
	s.levels = append(s.levels, 0)
	s.reasons = append(s.reasons, none)
	s.phases = append(s.phases, true)
	s.marked = append(s.marked, false)
	s.queue.add(v)
	return int32(v)
}

// Prefer has l be tried first where its variable is free.
func (s *Solver) Prefer(l Lit) { s.phases[l.variable()] = l&1 == 0 }

// Fix has a come before b in every solution. It costs less than a clause.
func (s *Solver) Fix(a, b int) {
	s.undo(0)
	if !s.link(int32(a), int32(b), none) {
		s.failed = true // all literals on the cycle hold in every solution
	}
}

// Add adds a clause: one of its literals holds.
func (s *Solver) Add(clause ...Lit) {
	s.undo(0)
	c := make([]Lit, 0, len(clause))
	for _, l := range clause {
		switch {
		case s.values[l] > 0 || contains(c, l.Not()):
			return
		case s.values[l] == 0 && !contains(c, l):
			c = append(c, l)
		}
	}
	switch len(c) {
	case 0:
		s.failed = true
	case 1:
		s.assign(c[0], none)
	default:
		s.attach(c)
	}
}

func contains(c []Lit, l Lit) bool {
	for _, k := range c {
		if k == l {
			return true
		}
	}
	return false
}

func (s *Solver) attach(c []Lit) int32 {
	n := int32(len(s.clauses))
	s.clauses = append(s.clauses, c)
	s.watches[c[0]] = append(s.watches[c[0]], n)
	s.watches[c[1]] = append(s.watches[c[1]], n)
	return n
}

func (s *Solver) assign(l Lit, reason int32) {
	s.values[l], s.values[l.Not()] = 1, -1
	v := l.variable()
	s.levels[v], s.reasons[v] = int32(len(s.limits)), reason
	s.trail = append(s.trail, l)
}

// Solve reports whether all clauses and the assumptions can be met; false, too, if the
// limit is reached. The solution can be asked for until the next call of Solve, Add, Fix
// or Event.
func (s *Solver) Solve(assumptions ...Lit) bool {
	s.undo(0)
	began := s.work
	for !s.failed && (s.limit == 0 || s.work-began < s.limit) {
		if conflict := s.propagate(); conflict != nil {
			if len(s.limits) == 0 {
				s.failed = true
				break
			}
			s.learn(conflict)
			continue
		}
		l, more := s.decision(assumptions)
		switch {
		case !more:
			return true
		case l < 0:
			return false
		}
		s.limits = append(s.limits, len(s.trail))
		s.assign(l, none)
	}
	return false
}

// decision returns the next literal to try, or one below 0 if the assumptions cannot
// be met; false if nothing is left to decide.
func (s *Solver) decision(assumptions []Lit) (Lit, bool) {
	for _, l := range assumptions {
		if s.values[l] < 0 {
			return none, true
		}
		if s.values[l] == 0 {
			return l, true
		}
	}
	for {
		v, ok := s.queue.next()
		if !ok {
			return 0, false
		}
		if s.values[v<<1] != 0 {
			continue
		}
		l := Lit(v << 1)
		if !s.phases[v] {
			l = l.Not()
		}
		return l, true
	}
}

// propagate draws the conclusions from the trail. It returns a conflict: literals
// that are all false although one must hold, nil if there is none.
func (s *Solver) propagate() []Lit {
	for s.propagated < len(s.trail) {
		l := s.trail[s.propagated]
		s.propagated++
		s.work++
		if p := s.pairs[l.variable()]; p[0] >= 0 {
			if l&1 != 0 {
				p[0], p[1] = p[1], p[0]
			}
			if !s.link(p[0], p[1], l) {
				s.propagated-- // l has no edge
				return s.cycle(l)
			}
		}
		if c := s.visit(l.Not()); c != nil {
			return c
		}
	}
	return nil
}

// visit looks at the clauses that watch l, which has become false.
func (s *Solver) visit(l Lit) []Lit {
	list := s.watches[l]
	kept := list[:0]
	for i, n := range list {
		c := s.clauses[n]
		if c[0] == l {
			c[0], c[1] = c[1], c[0]
		}
		if s.values[c[0]] > 0 || !s.rewatch(n) {
			kept = append(kept, n)
		}
		switch {
		case len(kept) == 0 || kept[len(kept)-1] != n || s.values[c[0]] > 0:
		case s.values[c[0]] < 0:
			kept = append(kept, list[i+1:]...)
			s.watches[l] = kept
			return c
		default:
			s.assign(c[0], n)
		}
	}
	s.watches[l] = kept
	return nil
}

// rewatch has clause n watch another literal than its second; false if there is none.
func (s *Solver) rewatch(n int32) bool {
	c := s.clauses[n]
	for k := 2; k < len(c); k++ {
		if s.values[c[k]] >= 0 {
			c[1], c[k] = c[k], c[1]
			s.watches[c[1]] = append(s.watches[c[1]], n)
			return true
		}
	}
	return false
}

// learn adds the clause of the first unique implication point of a conflict, and goes
// back to where it has something to conclude.
func (s *Solver) learn(conflict []Lit) {
	level := int32(0)
	for _, l := range conflict {
		level = max(level, s.levels[l.variable()])
	}
	if level == 0 {
		s.failed = true
		return
	}
	clause := []Lit{0}
	open, at := 0, len(s.trail)
	for reason := conflict; ; {
		for _, l := range reason {
			v := l.variable()
			if s.marked[v] || s.levels[v] == 0 {
				continue
			}
			s.marked[v] = true
			s.queue.raise(v)
			if s.levels[v] == level {
				open++
			} else {
				clause = append(clause, l)
			}
		}
		for at--; !s.marked[s.trail[at].variable()]; at-- {
		}
		l := s.trail[at]
		s.marked[l.variable()] = false
		if open--; open == 0 {
			clause[0] = l.Not()
			break
		}
		reason = without(s.clauses[s.reasons[l.variable()]], l)
	}
	s.use(clause)
}

// without returns the literals of a reason but the one that it implied, its first.
func without(reason []Lit, l Lit) []Lit {
	if reason[0] != l {
		panic("order: a reason does not begin with what it implies")
	}
	return reason[1:]
}

// use adds a learned clause, whose first literal it implies.
func (s *Solver) use(clause []Lit) {
	back := int32(0)
	for i := 1; i < len(clause); i++ {
		v := clause[i].variable()
		s.marked[v] = false
		if s.levels[v] > back {
			back = s.levels[v]
			clause[1], clause[i] = clause[i], clause[1]
		}
	}
	s.undo(int(back))
	if len(clause) == 1 {
		s.assign(clause[0], none)
		return
	}
	s.assign(clause[0], s.attach(clause))
}

// undo goes back to a number of decisions.
func (s *Solver) undo(level int) {
	if len(s.limits) <= level {
		return
	}
	for to := s.limits[level]; len(s.trail) > to; {
		l := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		if p := s.pairs[l.variable()]; p[0] >= 0 && len(s.trail) < s.propagated {
			if l&1 != 0 {
				p[0], p[1] = p[1], p[0]
			}
			s.unlink(p[0], p[1])
		}
		s.values[l], s.values[l.Not()] = 0, 0
		s.queue.back(l.variable())
	}
	s.limits = s.limits[:level]
	s.propagated = min(s.propagated, len(s.trail))
}

// True reports whether a literal holds in the solution.
func (s *Solver) True(l Lit) bool {
	if s.values[l] != 0 {
		return s.values[l] > 0
	}
	p := s.pairs[l.variable()]
	return p[0] >= 0 && (s.rank[p[0]] < s.rank[p[1]]) == (l&1 == 0)
}

// Precedes reports whether a comes before b in the solution.
func (s *Solver) Precedes(a, b int) bool { return s.rank[a] < s.rank[b] }
