package analysis

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// How near a place is to the evidence. The steps are chosen, not measured:
// what counts is their order, because edits are tried in that order.
const (
	heatLine       = 1.0  // the line that a failure names innermost
	heatSame       = 0.8  // the same function uses the same variable
	heatOwner      = 0.75 // calls a method of what both goroutines went through to the race
	heatLockOther  = 0.7  // takes the lock that somebody waits for, elsewhere
	heatFunction   = 0.6  // the rest of the innermost function
	heatElsewhere  = 0.5  // another function uses the same variable
	heatHeld       = 0.5  // takes a lock that a waiting goroutine may hold
	heatCaller     = 0.4  // the line of the call that led there
	heatOuter      = 0.3  // lines of calls further out, and where the goroutine was started
	heatUser       = 0.25 // the rest of another function that uses the variable
	heatCallerFunc = 0.15 // the rest of the functions further out

	// coldTest is for what a test says about a wrong result: it names the
	// check, not the cause.
	coldTest = 0.5
	// coldWait is for goroutines that wait for others to end, or to send, while some wait for a lock.
	coldWait = 0.6
	// coldLock is for a lock that is taken or released while another goroutine copies the
	// value that it is in.
	coldLock = 0.5
)

// A heatMap is the heat of lines. What is added only ever warms a line, so the
// order in which evidence comes does not matter.
type heatMap struct {
	p     *Program
	ids   *index
	lines map[*File]map[int]float64
}

func newHeatMap(p *Program, ids *index) *heatMap {
	return &heatMap{p: p, ids: ids, lines: map[*File]map[int]float64{}}
}

// Heat is how near a place is to the evidence: 1 at a line that a failure
// names innermost, less for outer frames, the same function, a function that
// touches the same variables; 0 where only static analysis points. The file is
// named absolutely or relative to the module.
func (n *Narrowing) Heat(file string, line int) float64 {
	f := n.p.File(file)
	if f == nil {
		return 0
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.heat.lines[f][line]
}

// Hottest is the heat of the hottest of some lines of a file, the last included.
func (n *Narrowing) Hottest(f *File, first, last int) float64 {
	n.mu.RLock()
	defer n.mu.RUnlock()
	lines := n.heat.lines[f]
	if len(lines) == 0 {
		return 0
	}
	hottest := 0.0
	for line := first; line <= last; line++ {
		hottest = max(hottest, lines[line])
	}
	return hottest
}

// Named reports whether some lines of a file are in a function that a failure names, and
// do not only use what a failure is about.
func (n *Narrowing) Named(f *File, first, last int) bool {
	return n.Hottest(f, first, last) > heatElsewhere
}

func (h *heatMap) warm(f *File, line int, heat float64) {
	if h.lines[f] == nil {
		h.lines[f] = map[int]float64{}
	}
	h.lines[f][line] = max(h.lines[f][line], heat)
}

func (h *heatMap) warmPos(pos token.Pos, heat float64) {
	if f := h.p.fileAt(pos); f != nil {
		h.warm(f, h.p.Fset.Position(pos).Line, heat)
	}
}

func (h *heatMap) warmFunction(fn *function, heat float64) {
	first, last := h.p.Fset.Position(fn.node.Pos()).Line, h.p.Fset.Position(fn.node.End()).Line
	for line := first; line <= last; line++ {
		h.warm(fn.file, line, heat)
	}
}

// warmStatement warms the lines of the simple statement that covers a line.
func (h *heatMap) warmStatement(s site, heat float64) {
	for _, stmt := range s.statements(h.p.Fset) {
		first, last := h.p.Fset.Position(stmt.Pos()).Line, h.p.Fset.Position(stmt.End()).Line
		for line := first; line <= last; line++ {
			h.warm(s.file, line, heat)
		}
	}
}

// stack warms what one goroutine's stack names. The sites are those of its
// frames that lie in the module, innermost first.
func (h *heatMap) stack(sites []site, scale float64) {
	for i, s := range sites {
		switch i {
		case 0:
			h.warm(s.file, s.line, heatLine*scale)
			h.warmStatement(s, heatSame*scale)
			h.warmFunction(s.fn, heatFunction*scale)
		case 1:
			h.warm(s.file, s.line, heatCaller*scale)
			h.warmFunction(s.fn, heatCallerFunc*scale)
		default:
			h.warm(s.file, s.line, heatOuter*scale)
			h.warmFunction(s.fn, heatCallerFunc*scale)
		}
	}
}

// variables warms the places that use what a failure is about: more in the
// functions that it names innermost than elsewhere.
func (h *heatMap) variables(vars []*types.Var, inner []*function, scale float64) {
	for _, v := range vars {
		for _, u := range h.ids.uses[v] {
			if slices.Contains(inner, u.fn) {
				h.warmPos(u.Expr.Pos(), heatSame*scale)
				continue
			}
			h.warmPos(u.Expr.Pos(), heatElsewhere*scale)
			h.warmFunction(u.fn, heatUser*scale)
		}
	}
}

// locks warms what takes the lock that a stack waits for, and what takes the
// locks that the functions on the stack take and may be holding.
func (h *heatMap) locks(sites []site, scale float64) {
	waited, held := map[string]bool{}, map[string]bool{}
	for i, s := range sites {
		for _, u := range s.fn.locks {
			if i == 0 && h.p.Fset.Position(u.call.Pos()).Line == s.line {
				waited[u.lock.Key] = true
			} else if u.acquires() {
				held[u.lock.Key] = true
			}
		}
		h.warm(s.file, s.line, heatFunction*scale)
		h.warmFunction(s.fn, heatFunction*scale)
	}
	for _, fn := range h.ids.functions {
		for _, u := range fn.locks {
			switch {
			case waited[u.lock.Key]:
				h.warmPos(u.call.Pos(), heatLockOther*scale)
				h.warmFunction(fn, heatUser*scale)
			case held[u.lock.Key]:
				h.warmPos(u.call.Pos(), heatHeld*scale)
			}
		}
	}
}

// A site is a frame's place in the module.
type site struct {
	file *File
	line int
	fn   *function // innermost function around the line
}

// statements are the innermost statements that cover a site's line: several
// when the line has several.
func (s site) statements(fset *token.FileSet) []ast.Stmt {
	var found []ast.Stmt
	covers := func(n ast.Node) bool {
		return fset.Position(n.Pos()).Line <= s.line && s.line <= fset.Position(n.End()).Line
	}
	if s.fn.body == nil {
		return nil
	}
	ast.Inspect(s.fn.body, func(n ast.Node) bool {
		if n == nil || !covers(n) {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt, *ast.IncDecStmt, *ast.ExprStmt, *ast.SendStmt, *ast.ReturnStmt, *ast.DeclStmt, *ast.GoStmt, *ast.DeferStmt:
			found = append(found, n.(ast.Stmt))
			return false
		}
		return true
	})
	return found
}
