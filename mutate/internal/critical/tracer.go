package critical

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
	"mendel/mutate/internal/lockcall"
	"mendel/mutate/internal/paths"
)

// depths is a set of how many times a lock may be held at a point of a
// function: bit n stands for n times. The empty set is a point never reached.
// Sets rather than numbers let the branches of a statement differ as long as
// no later statement depends on the difference.
type depths uint16

const (
	unreached depths = 0
	released  depths = 1 << 0
	heldOnce  depths = 1 << 1
	maxDepths depths = 1 << 15
)

// held reports whether some path holds the lock, heldOnAll whether all do.
func (d depths) held() bool      { return d&^released != 0 }
func (d depths) heldOnAll() bool { return d != unreached && d&released == 0 }

// A tracer follows every path from an acquisition to the releases. Each of its
// methods takes the depths before a statement and gives those after it, and
// marks the section bad on meeting what it cannot vouch for.
type tracer[F any] struct {
	s        *Section[F]
	releases []ast.Stmt
	holds    map[ast.Stmt]bool
	gotos    map[string]bool // labels that a goto of the function names
	bad      bool

	paths.Paths[depths]
}

func newTracer[F any](s *Section[F]) *tracer[F] {
	t := &tracer[F]{s: s, holds: map[ast.Stmt]bool{}, gotos: syntax.GotoLabels(s.In.Body)}
	t.Paths = paths.Paths[depths]{Join: t.join, Stmt: t.stmt, Block: t.block, Leaf: t.leaf, Assigns: t.assigns, Turn: t.turn}
	return t
}

// trace follows the list after the acquisition and fills in where the section
// ends; it reports whether there is a section.
func (t *tracer[F]) trace() bool {
	s := t.s
	at := heldOnce
	for i := s.At + 1; i < len(s.List); i++ {
		stmt := s.List[i]
		if at == heldOnce && !s.Deferred && t.deferred(stmt) {
			s.Deferred = true
			t.releases = append(t.releases, stmt)
			if i == s.First {
				s.First++
			}
			continue
		}
		at = t.stmt(stmt, at)
		if t.bad {
			return false
		}
		if !s.Deferred && !at.held() {
			s.Last = i
			if t.isRelease(stmt) {
				s.Final, s.Last = stmt, i-1
			}
			return len(t.releases) > 0
		}
	}
	s.Last = len(s.List) - 1
	bodyList := len(t.s.In.Body.List) > 0 && &t.s.In.Body.List[0] == &s.List[0]
	return s.Deferred && (bodyList && (at == heldOnce || at == unreached) || at == unreached)
}

// isRelease reports whether a statement is the lock's own unlock.
func (t *tracer[F]) isRelease(stmt ast.Stmt) bool {
	_, release := t.s.Methods()
	call, ok := lockcall.Of(t.s.In.Program, t.s.In.File, stmt)
	return ok && call.Method == release && syntax.Same(t.s.In.info(), call.On, t.s.Expr)
}

// deferred reports whether a statement defers the release, and notes where in a
// function literal it does.
func (t *tracer[F]) deferred(stmt ast.Stmt) bool {
	d, ok := stmt.(*ast.DeferStmt)
	if !ok {
		return false
	}
	_, release := t.s.Methods()
	if call, ok := lockcall.OfExpr(t.s.In.Program, t.s.In.File, d.Call); ok {
		return call.Method == release && syntax.Same(t.s.In.info(), call.On, t.s.Expr)
	}
	if unlock := t.named(d.Call); unlock != nil {
		t.s.InLiteral, t.s.Named = unlock, true
		return true
	}
	lit, ok := ast.Unparen(d.Call.Fun).(*ast.FuncLit)
	if !ok {
		return false
	}
	if e, ok := only(lit.Body).(*ast.ExprStmt); ok {
		if call, ok := e.X.(*ast.CallExpr); ok {
			if unlock := t.named(call); unlock != nil {
				t.s.InLiteral, t.s.Named = unlock, true
				return true
			}
		}
	}
	var unlock ast.Stmt
	for _, inner := range lit.Body.List {
		if t.isRelease(inner) {
			if unlock != nil {
				return false
			}
			unlock = inner
		}
	}
	if unlock == nil || t.methodUses(lit.Body) != 1 {
		return false
	}
	t.s.InLiteral = unlock
	return true
}

// block follows a statement list.
func (t *tracer[F]) block(list []ast.Stmt, at depths) depths {
	for _, s := range list {
		at = t.stmt(s, at)
	}
	return at
}

// stmt follows one statement.
func (t *tracer[F]) stmt(stmt ast.Stmt, at depths) depths {
	if stmt == nil {
		return at // an absent init or post statement
	}
	if t.bad || at == unreached {
		// Nothing reaches it but by a goto, which is not followed.
		t.bad = t.bad || t.methodUses(stmt) > 0
		return unreached
	}
	if at.heldOnAll() {
		t.holds[stmt] = true
	}
	switch s := stmt.(type) {
	case *ast.LabeledStmt:
		t.bad = t.bad || t.gotos[s.Label.Name]
	case *ast.ReturnStmt:
		return t.leave(stmt, at)
	case *ast.BranchStmt:
		out, inside := t.Branch(s, at)
		t.bad = t.bad || !inside && at != released // it leaves the list that holds the section
		return out
	case *ast.ExprStmt:
		return t.exprStmt(s, at)
	case *ast.DeferStmt:
		return t.deferStmt(s, at)
	case *ast.AssignStmt:
		if _, unlock := t.namesRelease(s); unlock == nil {
			t.leaf(stmt, at)
		}
		return at
	}
	if out, ok := t.Compound(stmt, "", at); ok {
		return out
	}
	t.leaf(stmt, at)
	return at
}

func (t *tracer[F]) join(a, b depths) depths { return a | b }

// turn ends an iteration: it must come back to the loop's head as it left it.
func (t *tracer[F]) turn(to *paths.Target[depths], _ ast.Node, at depths) {
	if at != unreached && t.stmt(to.Post, at)&^to.Found != 0 {
		t.bad = true
	}
}

// assigns is told of the key and the value of a loop.
func (t *tracer[F]) assigns(s *ast.RangeStmt, at depths) {
	t.bad = t.bad || at.held() && (t.rebinds(s.Key) || t.rebinds(s.Value))
}

// leave is a return: allowed with the lock released, or held once when its release is deferred.
func (t *tracer[F]) leave(stmt ast.Stmt, at depths) depths {
	t.leaf(stmt, at)
	if t.s.Deferred && at != heldOnce || !t.s.Deferred && at != released {
		t.bad = true
	}
	return unreached
}

// exprStmt is a call or receive; the lock's own calls change the depth.
func (t *tracer[F]) exprStmt(s *ast.ExprStmt, at depths) depths {
	call, ok := lockcall.Of(t.s.In.Program, t.s.In.File, s)
	if !ok || !syntax.Same(t.s.In.info(), call.On, t.s.Expr) {
		t.leaf(s, at)
		if noReturn(t.s.In.info(), s.X) {
			return unreached
		}
		return at
	}
	acquire, release := t.s.Methods()
	switch {
	case call.Method == acquire && at.heldOnAll() && at < maxDepths:
		return at << 1
	case call.Method == release && at.heldOnAll():
		if at == heldOnce {
			t.releases = append(t.releases, s)
			t.bad = t.bad || t.s.Deferred // released twice, or for a while
		} else if at&heldOnce != 0 {
			t.bad = true // ends this section on some paths and a nested one on others
		}
		return at >> 1
	case call.Method == acquire, call.Method == release, call.Method == "TryLock", call.Method == "TryRLock":
		t.bad = true
	}
	return at // the other side of an RWMutex
}

// deferStmt is a defer inside the section; one that releases the lock ends a
// nested section, which for this one is as good as released at once.
func (t *tracer[F]) deferStmt(s *ast.DeferStmt, at depths) depths {
	literal, named := t.s.InLiteral, t.s.Named
	if !t.deferred(s) {
		if !t.otherSide(s) {
			t.leaf(s, at)
		}
		return at
	}
	t.s.InLiteral, t.s.Named = literal, named
	if at&(released|heldOnce) != 0 {
		t.bad = true
		return at
	}
	return at >> 1
}

// otherSide reports whether a statement defers the release of the other side of
// an RWMutex.
func (t *tracer[F]) otherSide(s *ast.DeferStmt) bool {
	_, release := t.s.Methods()
	call, ok := lockcall.OfExpr(t.s.In.Program, t.s.In.File, s.Call)
	return ok && syntax.Same(t.s.In.info(), call.On, t.s.Expr) && call.Method != release && (call.Method == "Unlock" || call.Method == "RUnlock")
}

// leaf reads what has no control flow of its own: the lock must not be used
// in it in an unknown way, nor its expression assigned to while it is held.
func (t *tracer[F]) leaf(n ast.Node, at depths) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if !t.literal(n) || at.held() && t.assignsIn(n) {
				t.bad = true
			}
			return false
		case *ast.SelectorExpr:
			if t.ownMethod(n) {
				t.bad = true
			}
		case ast.Stmt:
			if at.held() && t.reassigns(n) {
				t.bad = true
			}
		}
		return true
	})
}

// literal reports whether a function literal leaves the lock as it finds it: it
// does not mention it, or takes it as often as it releases it.
func (t *tracer[F]) literal(lit *ast.FuncLit) bool {
	balance, unknown := 0, false
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || !t.ownMethod(sel) {
			return true
		}
		switch sel.Sel.Name {
		case "Lock", "RLock":
			balance++
		case "Unlock", "RUnlock":
			balance--
		default:
			unknown = true
		}
		return true
	})
	return !unknown && balance >= 0
}

// methodUses counts the mentions of the lock's methods in a tree.
func (t *tracer[F]) methodUses(n ast.Node) int {
	uses := 0
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && t.ownMethod(sel) {
			uses++
		}
		return true
	})
	return uses
}

// ownMethod reports whether a selector names a method of the section's lock, called or as a value.
func (t *tracer[F]) ownMethod(sel *ast.SelectorExpr) bool {
	if !syntax.Same(t.s.In.info(), sel.X, t.s.Expr) {
		return false
	}
	_, _, ok := t.s.In.Program.LockOf(t.s.In.File, &ast.CallExpr{Fun: sel})
	return ok
}

// assignsIn reports whether a literal assigns to the lock's expression.
func (t *tracer[F]) assignsIn(lit *ast.FuncLit) bool {
	return syntax.Any(lit.Body, func(n ast.Node) bool {
		s, ok := n.(ast.Stmt)
		return ok && t.reassigns(s)
	})
}

// reassigns reports whether a statement itself gives the lock's expression another meaning.
func (t *tracer[F]) reassigns(stmt ast.Stmt) bool {
	for _, e := range syntax.Assigned(stmt) {
		if t.rebinds(e) {
			return true
		}
	}
	return false
}

// rebinds reports whether assigning to an expression changes what the lock's expression means.
func (t *tracer[F]) rebinds(e ast.Expr) bool {
	return e != nil && syntax.DependsOn(t.s.In.info(), t.s.Expr, e)
}

// noReturn reports whether an expression is a call that ends the goroutine or the process.
func noReturn(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && !program.Returns(info, call)
}

// namesRelease finds the local function that a statement defines, if all it does
// is to release the section's lock and it is named once, in a defer of the
// section's list.
func (t *tracer[F]) namesRelease(s *ast.AssignStmt) (name types.Object, unlock ast.Stmt) {
	if s.Tok != token.DEFINE || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return nil, nil
	}
	id, ok := s.Lhs[0].(*ast.Ident)
	if !ok {
		return nil, nil
	}
	lit, ok := ast.Unparen(s.Rhs[0]).(*ast.FuncLit)
	if !ok {
		return nil, nil
	}
	name, unlock = t.s.In.info().ObjectOf(id), only(lit.Body)
	if name == nil || unlock == nil || !t.isRelease(unlock) {
		return nil, nil
	}
	mentions, deferred := 0, false
	ast.Inspect(t.s.In.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && t.s.In.info().Uses[id] == name {
			mentions++
			for _, stmt := range t.s.List {
				d, ok := stmt.(*ast.DeferStmt)
				deferred = deferred || ok && d.Pos() <= id.Pos() && id.End() <= d.End()
			}
		}
		return true
	})
	if mentions != 1 || !deferred {
		return nil, nil
	}
	return name, unlock
}

// named finds the release in the local function that a call names; nil if it
// is another call.
func (t *tracer[F]) named(call *ast.CallExpr) (unlock ast.Stmt) {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return nil
	}
	called := t.s.In.info().ObjectOf(id)
	ast.Inspect(t.s.In.Body, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok && unlock == nil {
			if name, release := t.namesRelease(s); name != nil && name == called {
				unlock = release
			}
		}
		return unlock == nil
	})
	return unlock
}

// only is the one statement of a block; nil if it has none or more.
func only(block *ast.BlockStmt) ast.Stmt {
	if len(block.List) != 1 {
		return nil
	}
	return block.List[0]
}
