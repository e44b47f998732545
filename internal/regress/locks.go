package regress

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A hold is a lock of the program that a test holds while it starts goroutines.
type hold struct {
	lock   string // as the test names it
	starts []ast.Stmt
}

// Bounds of what is tried. Guessed.
const (
	mostHolds = 12
	deepest   = 2 // fields, from a variable of the test to the lock
)

// lockVariable has the number of the hold of a copy that is being tried.
const lockVariable = "MENDEL_REGRESS_LOCK"

// locked has the test hold a lock of the program until all goroutines that it starts wait for it,
// and hand it over to each in turn, for one section each. So all have done their first section before one begins its
// second: what was asked in the first does not hold any more. Readers have the lock together.
func (m *making) locked(ctx context.Context) (*Test, error) {
	if err := cmp.Or(m.test.prepare(), m.test.place()); err != nil {
		return nil, none("%v", err)
	}
	holds := m.test.holds()
	if len(holds) == 0 {
		return nil, none("the test starts no goroutines where it has a lock of the program to hold")
	}
	t, err := m.holding(holds, true)
	if err != nil {
		return nil, err
	}
	m.o.Phase("running a copy of %s that holds locks", m.file.Test)
	exe, err := m.build(ctx, t, m.race)
	if err != nil {
		return nil, err
	}
	for i, h := range holds {
		before, err := m.red(ctx, exe, t.Name, fmt.Sprintf("%s=%d", lockVariable, i), few)
		if err != nil {
			return nil, err
		}
		if before.Failed < before.Runs {
			continue
		}
		if t, err = m.holding([]hold{h}, false); err != nil {
			return nil, err
		}
		return m.accept(ctx, t)
	}
	return nil, none("held by the test, %s does not make it fail each time", holds[0].lock)
}

// holding is a copy of the test that holds locks; while they are tried, the one of the variable.
func (m *making) holding(holds []hold, tried bool) (*Test, error) {
	t := &Test{Name: m.test.name, Means: Locks, File: m.path()}
	if !tried {
		t.Orders = holds[0].lock
	}
	imports := []named{{"", "bytes"}, {"", "runtime"}, {"", "sync"}}
	if tried {
		imports = append(imports, named{"", "os"})
	}
	var list []insertion
	for i, h := range holds {
		when := func(text string) string {
			if tried {
				return fmt.Sprintf("if os.Getenv(%q) == \"%d\" {\n%s}\n", lockVariable, i, text)
			}
			return text
		}
		first, last := h.starts[0], h.starts[len(h.starts)-1]
		list = append(list, insertion{m.test.offset(first.Pos()), when(fmt.Sprintf("hold(&%s)\n", h.lock)), false})
		for _, s := range h.starts {
			text := "settle(1)\n"
			if s == last {
				text = fmt.Sprintf("inTurn(&%s)\n", h.lock)
			}
			list = append(list, insertion{m.test.offset(s.End()), "\n" + strings.TrimSpace(when(text)), false})
		}
	}
	slices.SortStableFunc(list, func(a, b insertion) int { return a.offset - b.offset })
	before, body, after := m.test.body(list)
	source, err := m.test.testFile(imports, m.what(t), inTurn+before+body+after)
	if err != nil {
		return nil, none("the copy of the test cannot be read: %v", err)
	}
	t.Source = string(source)
	return t, nil
}

// inTurn is what a test that holds locks begins with.
const inTurn = `// settle waits until all other goroutines were found blocked so many times.
settle := func(times int) {
	text := make([]byte, 1<<20)
	for looks := 0; times > 0 && looks < 10000; looks++ {
		runtime.Gosched()
		stacks := text[:runtime.Stack(text, true)]
		if bytes.Count(stacks, []byte(" [running")) == 1 && !bytes.Contains(stacks, []byte(" [runnable")) {
			times--
		}
	}
}
// pass gives a lock up, and takes it again before who waits first can. Who has waited for a
// millisecond and does not get it is served in turn, and so are all who wait behind it.
pass := func(l sync.Locker) {
	l.Unlock()
	l.Lock()
	settle(2)
	l.Unlock()
}
// hold takes a lock. Two wait for it first, and pass it on if it was not taken again in time.
hold := func(l sync.Locker) {
	l.Lock()
	for n := 0; n < 2; n++ {
		go func() {
			l.Lock()
			pass(l)
		}()
		settle(1)
	}
}
// inTurn gives a lock up when all wait for it: each has it for one section, one after the other.
inTurn := func(l sync.Locker) {
	settle(200)
	pass(l)
}

`

// holds are the locks of the program that a test could hold while it starts goroutines.
func (c *copied) holds() (all []hold) {
	ast.Inspect(c.inner, func(n ast.Node) bool {
		if block, ok := n.(*ast.BlockStmt); ok {
			all = append(all, c.holdsIn(block)...)
		}
		_, ok := n.(*ast.FuncLit)
		return !ok
	})
	return all[:min(len(all), mostHolds)]
}

// holdsIn are those around statements of one block: from the first that starts goroutines to
// the last one behind which there are only such.
func (c *copied) holdsIn(block *ast.BlockStmt) (all []hold) {
	var starts []ast.Stmt
	for i, s := range block.List {
		if c.startsGoroutine(s) {
			starts = append(starts, s)
			if i+1 < len(block.List) {
				continue
			}
		}
		if len(starts) == 0 {
			continue
		}
		for _, lock := range c.locksAt(starts[0].Pos()) {
			all = append(all, hold{lock, starts})
		}
		starts = nil
	}
	return all
}

// startsGoroutine reports whether a statement is for starting goroutines.
func (c *copied) startsGoroutine(s ast.Stmt) (starts bool) {
	switch s.(type) {
	case *ast.GoStmt, *ast.ExprStmt, *ast.ForStmt, *ast.RangeStmt:
	default:
		return false
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.GoStmt:
			starts = true
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			starts = starts || ok && sel.Sel.Name == "Go"
		}
		return true
	})
	return starts
}

// locksAt are the locks of the program that a test can name at a place, as expressions.
func (c *copied) locksAt(pos token.Pos) (locks []string) {
	scope := c.pkg.Types.Scope().Innermost(pos)
	for ; scope != nil && scope != types.Universe; scope = scope.Parent() {
		for _, name := range scope.Names() {
			v, ok := scope.Lookup(name).(*types.Var)
			if ok && (scope == c.pkg.Types.Scope() || v.Pos() < pos) {
				locks = append(locks, c.locksIn(name, v.Type(), deepest)...)
			}
		}
	}
	return locks
}

// locksIn are the locks in a value.
func (c *copied) locksIn(value string, t types.Type, depth int) (locks []string) {
	if isMutex(t) {
		return []string{value}
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() != c.pkg.Types || depth == 0 {
		return nil
	}
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Pkg() == c.pkg.Types || f.Exported() {
			locks = append(locks, c.locksIn(value+"."+f.Name(), f.Type(), depth-1)...)
		}
	}
	return locks
}

// isMutex reports whether values of a type are mutexes of package sync.
func isMutex(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync" && strings.HasSuffix(n.Obj().Name(), "Mutex")
}
