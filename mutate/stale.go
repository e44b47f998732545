package mutate

import (
	"go/types"
	"hash/fnv"
	"math"

	"mendel/analysis"
)

// said is what a narrowing said when it was last asked for news.
type said struct {
	units  []uint64            // of each declaration, by number, as a hash
	shared map[*types.Var]bool // the variables among the findings
	races  analysis.Reach      // of nothing: how many there are
}

// A news is what a narrowing says that it did not say before: the declarations, by
// number, of which it says something else, and the variables that it has added.
type news struct {
	units map[int]bool
	vars  map[*types.Var]bool
	races bool                // the original has more
	known map[*consulted]bool // see concerns
}

// concerns reports whether some of the news is of what somebody has asked about.
func (n news) concerns(c *consulted) bool {
	answer, known := n.known[c]
	if !known {
		answer = n.findConcerns(c)
		n.known[c] = answer
	}
	return answer
}

func (n news) findConcerns(c *consulted) bool {
	c.mu.Lock() // a mutant that is being made may still ask
	defer c.mu.Unlock()
	if c.races && n.races || c.findings && len(n.vars) > 0 {
		return true
	}
	for v := range n.vars {
		if c.vars[v] {
			return true
		}
	}
	for number := range n.units {
		if c.units[number] {
			return true
		}
	}
	for inner := range c.inner {
		if n.concerns(inner) {
			return true
		}
	}
	return false
}

// news compares what the narrowing says with what it said, and takes that down.
func (n *Narrowed) news(was *said) news {
	now := said{shared: make(map[*types.Var]bool)}
	fresh := news{units: make(map[int]bool), vars: make(map[*types.Var]bool), known: make(map[*consulted]bool)}
	now.races = n.narrowing.Reach(nil, 1, 0)
	fresh.races = now.races != was.races
	_, _, variables := n.narrowing.Findings()
	for _, f := range variables {
		if v, ok := f.Object.(*types.Var); ok {
			now.shared[v] = true
			if !was.shared[v] {
				fresh.vars[v] = true
			}
		}
	}
	for _, pkg := range n.program.Packages {
		for _, f := range pkg.Files {
			for _, u := range n.units[f] {
				now.units = append(now.units, n.says(u))
				if u.number >= len(was.units) || was.units[u.number] != now.units[u.number] {
					fresh.units[u.number] = true
				}
			}
		}
	}
	*was = now
	return fresh
}

// says is what the narrowing says of a declaration, as a hash.
func (n *Narrowed) says(u *unit) uint64 {
	h := fnv.New64a()
	add := func(n uint64) {
		var b [8]byte
		for i := range b {
			b[i] = byte(n >> (8 * i))
		}
		h.Write(b[:])
	}
	for _, fn := range u.functions {
		if n.narrowing.Concurrent(fn.Node) {
			add(uint64(fn.Node.Pos()))
		}
		for _, a := range fn.Accesses(fn.Body) {
			add(uint64(a.Expr.Pos()))
		}
	}
	if n.narrowing.Hottest(u.file, u.first, u.last) > 0 {
		for line := u.first; line <= u.last; line++ {
			add(math.Float64bits(n.narrowing.Heat(u.file.Name, line)))
			h.Write([]byte(n.narrowing.Waits(u.file.Name, line)))
		}
	}
	return h.Sum64()
}
