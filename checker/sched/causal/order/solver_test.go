package order

import (
	"testing"

	"pgregory.net/rapid"
)

// A problem is drawn: clauses over pairs of events and booleans.
type problem struct {
	events, bools int
	fixed         [][2]int
	clauses       [][]literal
	assumed       []literal
}

// A literal says that a comes before b, or, with b < 0, that boolean a has a value.
type literal struct {
	a, b  int
	value bool
}

func drawProblem(t *rapid.T) *problem {
	p := &problem{events: rapid.IntRange(2, 5).Draw(t, "events"), bools: rapid.IntRange(0, 2).Draw(t, "booleans")}
	one := rapid.Custom(func(t *rapid.T) literal {
		if p.bools > 0 && rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
			return literal{rapid.IntRange(0, p.bools-1).Draw(t, "boolean"), -1, rapid.Bool().Draw(t, "value")}
		}
		a := rapid.IntRange(0, p.events-1).Draw(t, "a")
		b := rapid.IntRange(0, p.events-2).Draw(t, "b")
		if b >= a {
			b++
		}
		return literal{a, b, true}
	})
	p.clauses = rapid.SliceOfN(rapid.SliceOfN(one, 1, 3), 0, 14).Draw(t, "clauses")
	p.assumed = rapid.SliceOfN(one, 0, 2).Draw(t, "assumptions")
	for _, l := range rapid.SliceOfN(one, 0, 2).Draw(t, "fixed") {
		if l.b >= 0 {
			p.fixed = append(p.fixed, [2]int{l.a, l.b})
		}
	}
	return p
}

// solutions calls visit with each order, as ranks, and each value of the booleans.
func (p *problem) solutions(visit func(rank []int, bools int) bool) {
	rank := make([]int, p.events)
	for i := range rank {
		rank[i] = -1
	}
	var place func(n int) bool
	place = func(n int) bool {
		if n == p.events {
			for bools := range 1 << p.bools {
				if visit(rank, bools) {
					return true
				}
			}
			return false
		}
		for i := range rank {
			if rank[i] < 0 {
				rank[i] = n
				if place(n + 1) {
					return true
				}
				rank[i] = -1
			}
		}
		return false
	}
	place(0)
}

func (l literal) holds(rank []int, bools int) bool {
	if l.b < 0 {
		return bools>>l.a&1 == 1 == l.value
	}
	return rank[l.a] < rank[l.b]
}

// meets reports whether a solution meets the first n clauses, what is fixed and,
// perhaps, the assumptions.
func (p *problem) meets(n int, assumed bool, rank []int, bools int) bool {
	for _, f := range p.fixed {
		if rank[f[0]] > rank[f[1]] {
			return false
		}
	}
	for _, c := range p.clauses[:n] {
		any := false
		for _, l := range c {
			any = any || l.holds(rank, bools)
		}
		if !any {
			return false
		}
	}
	for _, l := range p.assumed {
		if assumed && !l.holds(rank, bools) {
			return false
		}
	}
	return true
}

func (p *problem) solvable(n int, assumed bool) (yes bool) {
	p.solutions(func(rank []int, bools int) bool {
		yes = p.meets(n, assumed, rank, bools)
		return yes
	})
	return yes
}

// TestSolver compares the solver, clause by clause, with the enumeration of all orders.
func TestSolver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		s := New(p.events)
		var bools []Lit
		for range p.bools {
			bools = append(bools, s.Bool())
		}
		lit := func(l literal) Lit {
			switch {
			case l.b >= 0:
				return s.Before(l.a, l.b)
			case l.value:
				return bools[l.a]
			}
			return bools[l.a].Not()
		}
		var assumed []Lit
		for _, l := range p.assumed {
			assumed = append(assumed, lit(l))
		}
		for _, f := range p.fixed {
			s.Fix(f[0], f[1])
		}
		check := func(n int, with bool) {
			got := s.Solve()
			if with {
				got = s.Solve(assumed...)
			}
			if want := p.solvable(n, with); got != want {
				t.Fatalf("%d clauses, assumptions %v: %v, want %v", n, with, got, want)
			}
			if got {
				p.verify(t, s, bools, n, with)
			}
		}
		for n := range p.clauses {
			check(n, true)
			var c []Lit
			for _, l := range p.clauses[n] {
				c = append(c, lit(l))
			}
			s.Add(c...)
		}
		check(len(p.clauses), false)
		check(len(p.clauses), true)
	})
}

// verify checks that the solver's solution is one.
func (p *problem) verify(t *rapid.T, s *Solver, bools []Lit, n int, assumed bool) {
	rank := make([]int, p.events)
	for a := range rank {
		for b := range rank {
			if a != b && s.Precedes(b, a) {
				rank[a]++
			}
		}
	}
	value := 0
	for i, l := range bools {
		if s.True(l) {
			value |= 1 << i
		}
	}
	if !p.meets(n, assumed, rank, value) {
		t.Fatalf("%d clauses: %v and %b is no solution", n, rank, value)
	}
}

// TestManyEvents needs learning: sections that exclude each other, with one order that
// is possible.
func TestManyEvents(t *testing.T) {
	const n = 40
	s := New(2 * n)
	for i := range n {
		s.Fix(2*i, 2*i+1)
		for k := range i {
			s.Add(s.Before(2*i+1, 2*k), s.Before(2*k+1, 2*i))
		}
	}
	for i := range n - 1 { // the last comes first
		s.Add(s.Before(2*i+2, 2*i+1))
	}
	if !s.Solve() {
		t.Fatal("no solution")
	}
	for i := range n - 1 {
		if !s.Precedes(2*i+3, 2*i) {
			t.Fatalf("section %d is not before %d", i+1, i)
		}
	}
	if s.Solve(s.Before(0, 2)) {
		t.Error("a solution against the only order")
	}
}
