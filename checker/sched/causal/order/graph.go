package order

// A graph is one without cycles, with a topological order.
type graph struct {
	rank []int32 // by event: its place in the topological order
	out  [][]edge
	in   [][]edge

	seen   []bool // scratch, by event
	from   []edge // scratch, by event: the edge by which a search came; its to is where from
	ahead  []int32
	behind []int32
	ranks  []int32
}

// An edge says that an event comes before another one because of a literal; none:
// always.
type edge struct {
	to  int32
	lit Lit
}

func (g *graph) init(n int) {
	for range n {
		g.add()
	}
}

func (g *graph) add() int {
	n := len(g.rank)
	g.rank = append(g.rank, int32(n))
	g.out, g.in = append(g.out, nil), append(g.in, nil)
	g.seen, g.from = append(g.seen, false), append(g.from, edge{})
	return n
}

// link adds an edge. If it closes a cycle it is not added: false, and cycle tells.
func (g *graph) link(a, b int32, l Lit) bool {
	if g.rank[a] > g.rank[b] && !g.reorder(a, b) {
		return false
	}
	g.out[a] = append(g.out[a], edge{b, l})
	g.in[b] = append(g.in[b], edge{a, l})
	return true
}

// unlink takes back the last edge that was added, from a to b.
func (g *graph) unlink(a, b int32) {
	g.out[a] = g.out[a][:len(g.out[a])-1]
	g.in[b] = g.in[b][:len(g.in[b])-1]
}

// reorder brings a, which has the higher rank, before b; false if b comes before a
// by edges. Only events with ranks between them change theirs.
func (g *graph) reorder(a, b int32) bool {
	g.ahead = g.search(g.ahead[:0], b, g.out, func(at int32) bool { return g.rank[at] <= g.rank[a] })
	cycle := g.seen[a]
	g.forget(g.ahead)
	if cycle {
		return false
	}
	g.behind = g.search(g.behind[:0], a, g.in, func(at int32) bool { return g.rank[at] >= g.rank[b] })
	g.forget(g.behind)
	g.sort(g.ahead)
	g.sort(g.behind)
	g.ranks = g.ranks[:0]
	for i, j := 0, 0; i < len(g.behind) || j < len(g.ahead); {
		if j == len(g.ahead) || i < len(g.behind) && g.rank[g.behind[i]] < g.rank[g.ahead[j]] {
			g.ranks = append(g.ranks, g.rank[g.behind[i]])
			i++
		} else {
			g.ranks = append(g.ranks, g.rank[g.ahead[j]])
			j++
		}
	}
	for i, at := range append(g.behind, g.ahead...) {
		g.rank[at] = g.ranks[i]
	}
	return true
}

// search lists what can be reached from an event where within holds, and marks it as
// seen.
func (g *graph) search(list []int32, first int32, edges [][]edge, within func(int32) bool) []int32 {
	list = append(list, first)
	g.seen[first] = true
	for i := 0; i < len(list); i++ {
		for _, e := range edges[list[i]] {
			if !g.seen[e.to] && within(e.to) {
				g.seen[e.to] = true
				g.from[e.to] = edge{list[i], e.lit}
				list = append(list, e.to)
			}
		}
	}
	return list
}

func (g *graph) forget(list []int32) {
	for _, at := range list {
		g.seen[at] = false
	}
}

// sort sorts by rank. The lists are short.
func (g *graph) sort(list []int32) {
	for i := 1; i < len(list); i++ {
		for k := i; k > 0 && g.rank[list[k]] < g.rank[list[k-1]]; k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
}

// cycle returns the negations of the literals on the cycle that link has just found
// for l, l's own first.
func (s *Solver) cycle(l Lit) []Lit {
	p := s.pairs[l.variable()]
	if l&1 != 0 {
		p[0], p[1] = p[1], p[0]
	}
	clause := []Lit{l.Not()}
	for at := p[0]; at != p[1]; at = s.from[at].to {
		if k := s.from[at].lit; k >= 0 {
			clause = append(clause, k.Not())
		}
	}
	return clause
}
