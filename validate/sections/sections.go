package sections

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/locks/sections"
	"mendel/analysis/locks/waits"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A guardedLine is a line of the original, of the file it is kept for, under a
// lock: its key, and how the function comes to it.
type guardedLine struct {
	lock string
	place
}

// A place is a line, or a call on it: an edit can split a line, and leave the call and
// its arguments under different locks.
type place struct {
	line int
	call string // of a function or method of this name; "" for the line
}

// A cover is what the critical sections of one file hold.
type cover struct {
	statements int                  // Guarded ones; under two locks they count twice
	guarded    map[guardedLine]bool // Guarded lines of the original
	sections   []section
}

// A section is one critical section.
type section struct {
	lock       string
	statements int
	lines      map[int]bool // Guarded lines of the original
	acts       bool         // it calls, sends, receives or iterates: something in it may take long
	letGo      map[int]bool // lines of the original with selects that are given up for who wants the lock
}

// coverOf sums up what some functions hold locks over. original maps a position in one of
// them to the line of the original.
func coverOf(m *locks.Model, fns []*program.Func, original func(fn *program.Func, pos token.Pos) int) cover {
	c := cover{guarded: map[guardedLine]bool{}}
	for _, fn := range fns {
		for _, found := range sections.Of(m, fn) {
			s := section{lock: found.Key + " " + found.Path.String(), statements: len(found.Stmts), lines: map[int]bool{}, letGo: map[int]bool{}}
			c.statements += s.statements
			add := func(at ast.Node, call string) {
				p := place{original(fn, at.Pos()), call}
				s.lines[p.line] = true
				c.guarded[guardedLine{s.lock, p}] = true
				_, calls := at.(*ast.CallExpr)
				s.acts = s.acts || calls
			}
			for _, n := range found.Nodes {
				eachPlace(n, add)
			}
			for _, call := range found.Deferred {
				if name := calleeName(call); name != "" {
					add(call, name)
				}
			}
			for _, stmt := range found.Stmts {
				if choice, ok := stmt.(*ast.SelectStmt); ok && letsGo(m, fn, choice, found.Key) {
					s.letGo[original(fn, stmt.Pos())] = true
				}
				add(stmt, "")
				s.acts = s.acts || acts(stmt)
			}
			c.sections = append(c.sections, s)
		}
	}
	return c
}

// letsGo is [waits.LetsGo] of a model.
func letsGo(of *locks.Model, fn *program.Func, s *ast.SelectStmt, key string) bool {
	m := of.Lock()
	defer of.Unlock()
	return waits.LetsGo(m, fn, s, key)
}

// eachPlace visits what is evaluated at a node, calls with the name of what they call. What a go
// or a defer statement calls is not called there.
func eachPlace(n ast.Node, visit func(at ast.Node, call string)) {
	var later *ast.CallExpr
	ast.Inspect(n, func(at ast.Node) bool {
		switch at := at.(type) {
		case nil:
			return false
		case *ast.FuncLit:
			return false
		case *ast.GoStmt:
			later = at.Call
		case *ast.DeferStmt:
			later = at.Call
		case *ast.CallExpr:
			if at == later {
				return true
			}
			visit(at, calleeName(at))
		}
		visit(at, "")
		return true
	})
}

// acts reports whether a statement by itself may take long: it sends, receives or iterates.
func acts(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.SendStmt, *ast.SelectStmt, *ast.RangeStmt:
		return true
	case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt, *ast.DeclStmt:
		return syntax.Any(s, func(n ast.Node) bool {
			u, ok := n.(*ast.UnaryExpr)
			return ok && u.Op == token.ARROW
		})
	}
	return false
}

// calleeName is the name of what is called, without its package or receiver; "" for a
// literal.
func calleeName(call *ast.CallExpr) string {
	if id := syntax.CalledName(call.Fun); id != nil {
		return id.Name
	}
	return ""
}

// lines are lines of the original, or calls on them, by absolute file name.
type lines map[string]map[place]bool

func (l lines) add(file string, line int) { l.addPlace(file, place{line: line}) }

func (l lines) addPlace(file string, p place) {
	if l[file] == nil {
		l[file] = map[place]bool{}
	}
	l[file][p] = true
}

// A file is one of a mutant, or of the original, as it is there.
type file struct {
	mutant string // hash; "" for the original
	name   string // absolute
}

// Covers knows what the sections of a program and of its mutants cover. It is not safe for
// concurrent use.
type Covers struct {
	program   *analysis.Program
	narrowing *analysis.Narrowing
	model     func() *locks.Model // of the program
	known     map[file]cover
	shared    lines                    // with accesses to shared variables; nil: not computed
	blamed    lines                    // with accesses to those that failures are about
	about     map[*types.Var]bool      // what failures are about; empty: everything shared
	withCalls map[string]bool          // files whose calls are among the lines
	callees   map[ast.Node]*calledBody // of declarations and literals; nil: not computed
	locked    map[*types.Var]bool      // used under some lock
	changing  lines                    // with what changes memory that others can reach; nil: not computed
}

// New is for a program, what of it is used concurrently (nil: it is not known), and its model of locks.
func New(p *analysis.Program, n *analysis.Narrowing, model func() *locks.Model) *Covers {
	return &Covers{program: p, narrowing: n, model: model, known: map[file]cover{}, withCalls: map[string]bool{}}
}

// of returns a mutant's cover of a file, the original's when it does not change it.
func (c *Covers) of(m *mutate.Mutant, name string) (cover, error) {
	f := c.program.File(name)
	if f == nil {
		return cover{}, nil // a file that only mutants have
	}
	if _, changed := m.Files[name]; !changed {
		return c.ofOriginal(f), nil
	}
	of := file{m.Hash, name}
	if known, ok := c.known[of]; ok {
		return known, nil
	}
	fset, pkgs, err := c.program.Recheck(m.Files)
	if err != nil {
		return cover{}, fmt.Errorf("reading critical sections: %w", err)
	}
	for _, pkg := range pkgs {
		for _, after := range pkg.Files {
			if after.Name != f.Name {
				continue
			}
			model := c.model().With(fset, pkgs)
			c.known[of] = coverOf(model, model.In(after), func(fn *program.Func, pos token.Pos) int {
				if fn.File != after {
					return c.line(pos)
				}
				return m.OriginalLine(name, fset.PositionFor(pos, false).Line)
			})
		}
	}
	return c.known[of], nil
}

// ofOriginal returns the cover of a file of the original.
func (c *Covers) ofOriginal(f *analysis.File) cover {
	of := file{"", f.Name}
	known, ok := c.known[of]
	if !ok {
		known = coverOf(c.model(), c.model().In(f), func(_ *program.Func, pos token.Pos) int { return c.line(pos) })
		c.known[of] = known
	}
	return known
}

// line is the line of a position in the original.
func (c *Covers) line(pos token.Pos) int { return c.program.Fset.PositionFor(pos, false).Line }

// Guarded counts the statements under locks, against the original.
func (c *Covers) Guarded(m *mutate.Mutant) (int, error) {
	none := &mutate.Mutant{}
	more := 0
	for name := range m.Files {
		after, err := c.of(m, name)
		if err != nil {
			return 0, err
		}
		before, err := c.of(none, name)
		if err != nil {
			return 0, err
		}
		more += after.statements - before.statements
	}
	return more, nil
}

// Parts reports whether one mutant has more sections of some lock than another one: what is one section
// may have to be. And whether it has fewer of some.
func (c *Covers) Parts(m, than *mutate.Mutant) (split, joined bool, err error) {
	for name := range m.Files {
		now, err := c.of(than, name)
		if err != nil {
			return false, false, err
		}
		then, err := c.of(m, name)
		if err != nil {
			return false, false, err
		}
		more := make(map[string]int)
		for _, s := range then.sections {
			more[s.lock]++
		}
		for _, s := range now.sections {
			more[s.lock]--
		}
		for _, n := range more {
			split, joined = split || n > 0, joined || n < 0
		}
	}
	return split, joined, nil
}

// keeps reports whether b guards those of some lines that a guards: by the same
// lock or, with anyLock, by any.
func (c *Covers) keeps(a, b *mutate.Mutant, needed lines, anyLock bool) (bool, error) {
	files := map[string]bool{}
	for name := range a.Files {
		files[name] = true
	}
	for name := range b.Files {
		files[name] = true
	}
	for name := range files {
		had, err := c.of(a, name)
		if err != nil {
			return false, err
		}
		has, err := c.of(b, name)
		if err != nil {
			return false, err
		}
		guarded := map[place]bool{}
		for p := range has.guarded {
			guarded[p.place] = true
		}
		for p := range had.guarded {
			if needed[name][p.place] && !has.guarded[p] && !(anyLock && guarded[p.place]) {
				return false, nil
			}
		}
	}
	return true, nil
}

// KeepsGuards reports whether a mutant guards by some lock each access to shared
// data that the original guards. Without a narrowing it cannot tell and says no.
func (c *Covers) KeepsGuards(m *mutate.Mutant) (bool, error) {
	if c.narrowing == nil {
		return false, nil
	}
	c.findAccesses(m)
	return c.keeps(&mutate.Mutant{}, m, c.shared, true)
}

// KeepsFix reports whether b still guards what a guards of the variables that
// failures are about.
func (c *Covers) KeepsFix(a, b *mutate.Mutant, anyLock bool) (bool, error) {
	if c.narrowing == nil {
		return false, nil
	}
	c.findAccesses(a, b)
	return c.keeps(a, b, c.blamed, anyLock)
}

// ReplacesGuards reports whether a mutant puts another lock wherever it takes one
// from a shared access: one that the original does not hold there.
func (c *Covers) ReplacesGuards(m *mutate.Mutant) (bool, error) {
	if c.narrowing == nil {
		return false, nil
	}
	c.findAccesses(m)
	for name := range m.Files {
		had, err := c.of(&mutate.Mutant{}, name)
		if err != nil {
			return false, err
		}
		has, err := c.of(m, name)
		if err != nil {
			return false, err
		}
		fresh := map[place]bool{}
		for p := range has.guarded {
			if !had.guarded[p] {
				fresh[p.place] = true
			}
		}
		for p := range had.guarded {
			if c.shared[name][p.place] && !has.guarded[p] && !fresh[p.place] {
				return false, nil
			}
		}
	}
	return true, nil
}

// findAccesses fills in the lines with accesses, and those with calls in the files of some
// mutants. A failure is about the variables that its own line accesses; where no failure
// names one, as after a deadlock, every shared variable is blamed.
func (c *Covers) findAccesses(mutants ...*mutate.Mutant) {
	if c.shared == nil {
		c.shared, c.blamed, c.about = lines{}, lines{}, map[*types.Var]bool{}
		line := func(a analysis.Access) int { return c.line(a.Expr.Pos()) }
		c.eachAccess(func(f *analysis.File, a analysis.Access) {
			if c.narrowing.Heat(f.Name, line(a)) == 1 {
				c.about[a.Var] = true
			}
		})
		c.eachAccess(func(f *analysis.File, a analysis.Access) { c.need(f, place{line: line(a)}, a.Var) })
	}
	for _, m := range mutants {
		for name := range m.Files {
			c.findCalls(name)
		}
	}
}

// need notes that a shared variable is used at a place.
func (c *Covers) need(f *analysis.File, p place, v *types.Var) {
	c.shared.addPlace(f.Name, p)
	if len(c.about) == 0 || c.about[v] {
		c.blamed.addPlace(f.Name, p)
	}
}

// eachAccess yields the accesses to shared variables.
func (c *Covers) eachAccess(yield func(f *analysis.File, a analysis.Access)) {
	for _, pkg := range c.program.Packages {
		for _, f := range pkg.Files {
			c.accessesIn(f, func(a analysis.Access) { yield(f, a) })
		}
	}
}

// accessesIn yields the accesses to shared variables in a file.
func (c *Covers) accessesIn(f *analysis.File, yield func(a analysis.Access)) {
	ast.Inspect(f.AST, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.FuncDecl:
			body = n.Body
		case *ast.FuncLit:
			body = n.Body
		}
		if body != nil {
			for _, a := range c.narrowing.Accesses(f, body) {
				yield(a)
			}
		}
		return true
	})
}
