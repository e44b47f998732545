package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"hash/fnv"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"mendel/analysis"
)

// A Narrowed is a narrowing as operators see it. What they ask of it while their
// edits are enumerated is noted: where nothing of that has changed they need not
// be asked again.
type Narrowed struct {
	narrowing  *analysis.Narrowing
	program    *analysis.Program
	units      map[*analysis.File][]*unit // in source order
	remembered sync.Map                   // see Remember
	accesses   sync.Map                   // of whole functions, by *Function; see Function.Accesses
	asking     atomic.Pointer[consulted]  // nil: nobody listens
}

// A unit is a declaration of the program, with the functions in it that may be edited.
type unit struct {
	number      int // in the program
	file        *analysis.File
	first, last int // lines
	functions   []*Function
}

func newNarrowed(p *analysis.Program, n *analysis.Narrowing) *Narrowed {
	narrowed := &Narrowed{narrowing: n, program: p, units: make(map[*analysis.File][]*unit)}
	number := 0
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				first, last := p.Fset.PositionFor(d.Pos(), false).Line, p.Fset.PositionFor(d.End(), false).Line
				narrowed.units[f] = append(narrowed.units[f], &unit{number: number, file: f, first: first, last: last})
				number++
			}
		}
	}
	return narrowed
}

// on are the declarations on some lines of a file.
func (n *Narrowed) on(f *analysis.File, first, last int) []*unit {
	units := n.units[f]
	from, _ := slices.BinarySearchFunc(units, first, func(u *unit, line int) int { return u.last - line })
	to := from
	for to < len(units) && units[to].first <= last {
		to++
	}
	return units[from:to]
}

// consulted is what somebody has asked of a narrowing. It is safe for concurrent use.
type consulted struct {
	mu       sync.Mutex
	units    map[int]bool        // declarations that were asked about, by number
	vars     map[*types.Var]bool // variables
	findings bool                // all variables
	races    bool                // the original's races, or how many there are
	inner    map[*consulted]bool // what was remembered for it; see Remember
}

// note runs some work and returns what it has asked. Others that ask meanwhile are
// noted, too. It is for enumerations, of which there is one at a time.
func (n *Narrowed) note(work func()) *consulted {
	outer := n.asking.Load()
	c := &consulted{units: make(map[int]bool), vars: make(map[*types.Var]bool)}
	n.asking.Store(c)
	defer n.asking.Store(outer)
	work()
	return c
}

// include notes that somebody relies on what others have asked.
func (c *consulted) include(inner *consulted) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inner == nil {
		c.inner = make(map[*consulted]bool)
	}
	c.inner[inner] = true
}

// A remembered value is one that depends on the narrowing.
type remembered struct {
	value any
	asked *consulted
}

// Remember is [Once] for what operators find out while their edits are
// enumerated and what does depend on the narrowing, by what they ask of it through
// functions: when that has changed those are asked again who rely on it. It is
// forgotten when the edits are listed.
func Remember[T any](fn *Function, key any, find func() T) T {
	n := fn.Narrowing
	known, ok := n.remembered.Load(key)
	if !ok {
		var value T
		asked := n.note(func() { value = find() })
		known = &remembered{value, asked}
		n.remembered.Store(key, known)
	}
	r := known.(*remembered)
	if c := n.asking.Load(); c != nil {
		c.include(r.asked)
	}
	return r.value.(T)
}

func (n *Narrowed) unit(number int) {
	if c := n.asking.Load(); c != nil {
		c.mu.Lock()
		c.units[number] = true
		c.mu.Unlock()
	}
}

func (n *Narrowed) variable(v *types.Var) {
	if c := n.asking.Load(); c != nil && v != nil {
		c.mu.Lock()
		c.vars[v.Origin()] = true
		c.mu.Unlock()
	}
}

func (n *Narrowed) lines(f *analysis.File, first, last int) {
	if n.asking.Load() != nil {
		for _, u := range n.on(f, first, last) {
			n.unit(u.number)
		}
	}
}

// Shared reports whether a variable is among the findings.
func (n *Narrowed) Shared(v *types.Var) bool {
	n.variable(v)
	return n.narrowing.Shared(v)
}

// Findings returns the variables among the findings, by position.
func (n *Narrowed) Findings() []analysis.Finding {
	if c := n.asking.Load(); c != nil {
		c.mu.Lock()
		c.findings = true
		c.mu.Unlock()
	}
	_, _, variables := n.narrowing.Findings()
	return variables
}

// Races is [analysis.Narrowing.Races].
func (n *Narrowed) Races(v *types.Var) (races, known bool) { return n.narrowing.Races(v.Origin()) }

// Accesses is [analysis.Narrowing.Accesses].
func (n *Narrowed) Accesses(f *analysis.File, node ast.Node) []analysis.Access {
	found := n.program.Uses(f, node)
	for _, a := range found {
		n.variable(a.Var)
	}
	return n.narrowing.SharedAmong(found)
}

// Heat is [analysis.Narrowing.Heat].
func (n *Narrowed) Heat(file string, line int) float64 {
	n.lines(n.program.File(file), line, line)
	return n.narrowing.Heat(file, line)
}

// HeatAt is the heat of the line that a position of the program is on, and
// what a failure says a goroutine waits for there; "" if none does.
func (n *Narrowed) HeatAt(pos token.Pos) (heat float64, waits string) {
	at := n.program.Fset.PositionFor(pos, false)
	return n.Heat(at.Filename, at.Line), n.Waits(at.Filename, at.Line)
}

// Hottest is [analysis.Narrowing.Hottest].
func (n *Narrowed) Hottest(f *analysis.File, first, last int) float64 {
	n.lines(f, first, last)
	return n.narrowing.Hottest(f, first, last)
}

// HottestIn is the heat of the hottest line of a function, which may be another one than that which asks.
func (n *Narrowed) HottestIn(fn *Function) float64 {
	return n.Hottest(fn.File, fn.line(fn.Node.Pos()), fn.line(fn.Node.End()))
}

// Named is [analysis.Narrowing.Named].
func (n *Narrowed) Named(f *analysis.File, first, last int) bool {
	n.lines(f, first, last)
	return n.narrowing.Named(f, first, last)
}

// Reach is [analysis.Narrowing.Reach].
func (n *Narrowed) Reach(f *analysis.File, first, last int) analysis.Reach {
	if c := n.asking.Load(); c != nil {
		c.mu.Lock()
		c.races = true
		c.mu.Unlock()
	}
	return n.narrowing.Reach(f, first, last)
}

// Waits is [analysis.Narrowing.Waits].
func (n *Narrowed) Waits(file string, line int) string {
	n.lines(n.program.File(file), line, line)
	return n.narrowing.Waits(file, line)
}

// Concurrent is [analysis.Narrowing.Concurrent] for a function.
func (n *Narrowed) Concurrent(fn *Function) bool {
	n.unit(fn.unit.number)
	return n.narrowing.Concurrent(fn.Node)
}

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
