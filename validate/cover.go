package validate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"mendel/analysis"
	"mendel/mutate"
)

// A guardedLine is a line of the original, of the file it is kept for, under a
// lock as it is written there.
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
	statements int                  // guarded ones; under two locks they count twice
	guarded    map[guardedLine]bool // guarded lines of the original
	sections   []section
}

// A section is one critical section.
type section struct {
	lock       string
	statements int
	lines      map[int]bool // guarded lines of the original
	acts       bool         // it calls, sends, receives or iterates: something in it may take long
}

// coverOf reads the critical sections off a file's source. original maps a
// line of the source to the line of the original.
func coverOf(name string, src []byte, original func(line int) int) (cover, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return cover{}, fmt.Errorf("reading critical sections: %w", err)
	}
	return coverIn(fset, file, original), nil
}

// coverIn is coverOf a file that has been parsed.
func coverIn(fset *token.FileSet, file *ast.File, original func(line int) int) cover {
	c := cover{guarded: map[guardedLine]bool{}}
	walk := func(lock string, stmts []ast.Stmt) {
		s := section{lock: lock, lines: map[int]bool{}}
		before := c.statements
		for _, stmt := range stmts {
			s.acts = s.acts || acts(stmt)
			c.add(stmt, lock, func(pos token.Pos) guardedLine {
				line := original(fset.PositionFor(pos, false).Line)
				s.lines[line] = true
				return guardedLine{lock, place{line: line}}
			})
		}
		s.statements = c.statements - before
		c.sections = append(c.sections, s)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			sections(n.List, walk)
		case *ast.CaseClause:
			sections(n.Body, walk)
		case *ast.CommClause:
			sections(n.Body, walk)
		}
		return true
	})
	return c
}

// acts reports whether a statement does more than to compute and to assign: calls
// of locks left out, and what goroutines and literals do.
func acts(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case ast.Stmt:
			if _, _, isLock := lockCall(n); isLock {
				return false
			}
			switch n.(type) {
			case *ast.SendStmt, *ast.SelectStmt, *ast.RangeStmt:
				found = true
			}
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// add counts a guarded statement and those inside it, but for those behind a release in
// an inner list. What a go statement starts runs outside the section.
func (c *cover) add(s ast.Stmt, lock string, at func(token.Pos) guardedLine) {
	free := make(map[ast.Node]bool)
	ast.Inspect(s, func(n ast.Node) bool {
		if n == nil || free[n] {
			return false
		}
		switch n := n.(type) {
		case *ast.BlockStmt:
			released(n.List, lock, free)
		case *ast.CaseClause:
			released(n.Body, lock, free)
		case *ast.CommClause:
			released(n.Body, lock, free)
		}
		if s, ok := n.(ast.Stmt); ok {
			if _, _, isLock := lockCall(s); isLock {
				return false
			}
			if _, isBlock := s.(*ast.BlockStmt); !isBlock {
				c.statements++
			}
		}
		c.guarded[at(n.Pos())] = true
		if call, ok := n.(*ast.CallExpr); ok {
			g := at(n.Pos())
			g.call = calleeName(call)
			c.guarded[g] = true
		}
		if g, ok := n.(*ast.GoStmt); ok {
			for _, arg := range g.Call.Args {
				c.guarded[at(arg.Pos())] = true
			}
			return false
		}
		return true
	})
}

// calleeName is the name of what is called, without its package or receiver; "" for a
// literal.
func calleeName(call *ast.CallExpr) string {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// released notes the statements of a list behind a release of a lock. Where the list takes
// the lock again, that is a section of its own.
func released(list []ast.Stmt, lock string, free map[ast.Node]bool) {
	held := true
	for _, s := range list {
		if !held {
			free[s] = true
		}
		l, method, ok := lockCall(s)
		if _, deferred := s.(*ast.DeferStmt); ok && !deferred && l == lock && strings.HasSuffix(method, "Unlock") {
			held = false
		}
	}
}

// sections yields the statements between each acquisition in a list and its
// release: the first in the list, or the list's end where the release is
// deferred or hidden in inner blocks.
func sections(list []ast.Stmt, yield func(lock string, stmts []ast.Stmt)) {
	for i, s := range list {
		lock, method, ok := lockCall(s)
		if !ok || method != "Lock" && method != "RLock" {
			continue
		}
		end := len(list)
		for j := i + 1; j < len(list); j++ {
			l, m, ok := lockCall(list[j])
			if _, deferred := list[j].(*ast.DeferStmt); ok && !deferred && l == lock && (m == "Unlock" || m == "RUnlock") {
				end = j
				break
			}
		}
		yield(lock, list[i+1:end])
	}
}

// lockCall recognises lock.Lock(), RLock, Unlock and RUnlock as a statement of
// its own or deferred, also in a deferred literal of just that call.
func lockCall(s ast.Stmt) (lock, method string, ok bool) {
	var e ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.DeferStmt:
		if lit, ok := s.Call.Fun.(*ast.FuncLit); ok && len(lit.Body.List) == 1 {
			return lockCall(lit.Body.List[0])
		}
		e = s.Call
	default:
		return "", "", false
	}
	call, isCall := e.(*ast.CallExpr)
	if !isCall || len(call.Args) != 0 {
		return "", "", false
	}
	sel, isSel := call.Fun.(*ast.SelectorExpr)
	if !isSel {
		return "", "", false
	}
	switch sel.Sel.Name {
	case "Lock", "RLock", "Unlock", "RUnlock":
		return exprText(sel.X), sel.Sel.Name, true
	}
	return "", "", false
}

// exprText names the operand of a lock call; parentheses, & and * make no difference.
func exprText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return exprText(e.X)
	case *ast.StarExpr:
		return exprText(e.X)
	case *ast.UnaryExpr:
		return exprText(e.X)
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return exprText(e.X) + "." + e.Sel.Name
	case *ast.IndexExpr:
		return exprText(e.X) + "[" + exprText(e.Index) + "]"
	case *ast.CallExpr:
		return exprText(e.Fun) + "()"
	case *ast.BasicLit:
		return e.Value
	}
	return "?"
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

// covers knows what the sections of the original and of mutants cover.
type covers struct {
	program   *analysis.Program
	narrowing *analysis.Narrowing
	original  map[string]cover         // by absolute file name
	shared    lines                    // with accesses to shared variables; nil: not computed
	blamed    lines                    // with accesses to those that failures are about
	about     map[*types.Var]bool      // what failures are about; empty: everything shared
	withCalls map[string]bool          // files whose calls are among the lines
	callees   map[ast.Node]*calledBody // of declarations and literals; nil: not computed
	locked    map[*types.Var]bool      // used under some lock
	changing  lines                    // with what changes memory that others can reach; nil: not computed
}

func newCovers(p *analysis.Program, n *analysis.Narrowing) *covers {
	return &covers{program: p, narrowing: n, original: map[string]cover{}, withCalls: map[string]bool{}}
}

// of returns a mutant's cover of a file, the original's when it does not change it.
func (c *covers) of(m *mutate.Mutant, name string) (cover, error) {
	if src, ok := m.Files[name]; ok {
		return coverOf(name, src, func(line int) int { return m.OriginalLine(name, line) })
	}
	f := c.program.File(name)
	if f == nil {
		return cover{}, nil // a file that only mutants have
	}
	return c.ofOriginal(f), nil
}

// ofOriginal returns the cover of a file of the original.
func (c *covers) ofOriginal(f *analysis.File) cover {
	known, ok := c.original[f.Name]
	if !ok {
		known = coverIn(c.program.Fset, f.AST, func(line int) int { return line })
		c.original[f.Name] = known
	}
	return known
}

// guarded counts the statements under locks, against the original.
func (c *covers) guarded(m *mutate.Mutant) (int, error) {
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

// keeps reports whether b guards those of some lines that a guards: by the same
// lock or, with anyLock, by any.
func (c *covers) keeps(a, b *mutate.Mutant, needed lines, anyLock bool) (bool, error) {
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

// keepsGuards reports whether a mutant guards by some lock each access to shared
// data that the original guards. Without a narrowing it cannot tell and says no.
func (c *covers) keepsGuards(m *mutate.Mutant) (bool, error) {
	if c.narrowing == nil {
		return false, nil
	}
	c.findAccesses(m)
	return c.keeps(&mutate.Mutant{}, m, c.shared, true)
}

// keepsFix reports whether b still guards what a guards of the variables that
// failures are about.
func (c *covers) keepsFix(a, b *mutate.Mutant, anyLock bool) (bool, error) {
	if c.narrowing == nil {
		return false, nil
	}
	c.findAccesses(a, b)
	return c.keeps(a, b, c.blamed, anyLock)
}

// replacesGuards reports whether a mutant puts another lock wherever it takes one
// from a shared access: one that the original does not hold there.
func (c *covers) replacesGuards(m *mutate.Mutant) (bool, error) {
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
func (c *covers) findAccesses(mutants ...*mutate.Mutant) {
	if c.shared == nil {
		c.shared, c.blamed, c.about = lines{}, lines{}, map[*types.Var]bool{}
		line := func(a analysis.Access) int { return c.program.Fset.PositionFor(a.Expr.Pos(), false).Line }
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
func (c *covers) need(f *analysis.File, p place, v *types.Var) {
	c.shared.addPlace(f.Name, p)
	if len(c.about) == 0 || c.about[v] {
		c.blamed.addPlace(f.Name, p)
	}
}

// eachAccess yields the accesses to shared variables.
func (c *covers) eachAccess(yield func(f *analysis.File, a analysis.Access)) {
	for _, pkg := range c.program.Packages {
		for _, f := range pkg.Files {
			c.accessesIn(f, func(a analysis.Access) { yield(f, a) })
		}
	}
}

// accessesIn yields the accesses to shared variables in a file.
func (c *covers) accessesIn(f *analysis.File, yield func(a analysis.Access)) {
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
