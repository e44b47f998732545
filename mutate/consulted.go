package mutate

import (
	"go/ast"
	"go/types"
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
