package releasearound

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/captures"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/guards"
	"mendel/mutate/internal/sectionedit"
)

// Forms of the edit.
const (
	plain     = ""          // release before the statement, acquire after it
	capture   = "capture"   // ... its operands evaluated before the release
	cases     = "cases"     // release before a select, acquire again in each case
	hoist     = "hoist"     // evaluate one operation of the statement before it
	condition = "condition" // evaluate all of an if's condition before it
	initial   = "init"      // move the init statement of an if or switch before it
)

// A plan is how to leave a lock around what a statement waits for.
type plan struct {
	form     string
	waits    ast.Stmt // what is done without the lock
	captures []captures.Capture
	op       ast.Expr // hoist: the operation; condition: that
	flags    []mutate.Flag
}

// planFor plans how to release a section's lock around what a statement of it
// waits for; nil where that is not right.
func planFor(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt) *plan {
	p := planAnywhere(fn, s, stmt)
	if p != nil && stmt == s.Body[0] && len(p.captures) == 0 {
		return nil // shrinkstart's
	}
	return p
}

// planAnywhere is planFor for a statement that may begin the section.
func planAnywhere(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt) *plan {
	if s.Again || !s.Holds(stmt) || !s.NamedIn(stmt) || fn.IsLockCall(stmt) && !handsOn(fn, s, stmt) {
		return nil
	}
	for _, t := range fn.Sections() {
		// Taken again under a lock that was taken after it, it would be the inner lock.
		if s.Encloses(t) && t.Holds(stmt) || s.Acquire != t.Acquire && s.SameLock(t) && t.Holds(stmt) {
			return nil
		}
	}
	switch stmt := stmt.(type) {
	case *ast.SelectStmt:
		return planSelect(fn, s, stmt)
	case *ast.IfStmt:
		if stmt.Init != nil {
			return planInit(fn, s, stmt, stmt.Init)
		}
		if p := planHoist(fn, s, stmt, stmt.Cond); p != nil {
			return p
		}
		return planCondition(fn, s, stmt)
	case *ast.SwitchStmt:
		if stmt.Init != nil {
			return planInit(fn, s, stmt, stmt.Init)
		}
		return planHoist(fn, s, stmt, stmt.Tag)
	case *ast.ReturnStmt:
		if s.Deferred && !(atEnd(s, stmt) && s.DefersAtOnce()) { // shrinkend's
			return planHoist(fn, s, stmt, stmt.Results...)
		}
	case *ast.AssignStmt:
		if p := planPlain(fn, s, stmt); p != nil || stmt.Tok == token.DEFINE {
			return p
		}
		return planHoist(fn, s, stmt, stmt.Rhs...)
	case *ast.ExprStmt, *ast.SendStmt, *ast.DeclStmt:
		return planPlain(fn, s, stmt)
	}
	return nil
}

// handsOn reports whether a statement acquires another lock, which somebody else
// is to release: it begins no section of the function.
func handsOn(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt) bool {
	x, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return false
	}
	l, method, ok := fn.Program.LockCall(fn.File, x.X.(*ast.CallExpr))
	if !ok || l.Key == s.Lock.Key || method != "Lock" && method != "RLock" {
		return false
	}
	return !slices.ContainsFunc(fn.Sections(), func(t *mutate.Section) bool { return t.Acquire == stmt })
}

// atEnd reports whether a statement is the last of a section's list.
func atEnd(s *mutate.Section, stmt ast.Stmt) bool { return stmt == s.Body[len(s.Body)-1] }

// waits reports whether statements wait for others, or may in a callee, and can
// do so without the section's lock.
func waits(fn *mutate.Function, s *mutate.Section, stmts ...ast.Stmt) bool {
	e := effects.Of(fn, s, stmts...)
	return !e.Waits && e.MayWait()
}

// planPlain plans to release around a whole statement. At the end of a section
// that a release follows the release moves instead, which is shrinkend's.
func planPlain(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt) *plan {
	if atEnd(s, stmt) && !s.Deferred || !waits(fn, s, stmt) || s.Prepares(stmt) || len(exits.Of(fn, stmt)) > 0 {
		return nil
	}
	if decl, ok := stmt.(*ast.DeclStmt); ok && decl.Decl.(*ast.GenDecl).Tok != token.VAR {
		return nil
	}
	if captures, ok := captures.Of(fn, s, stmt); ok {
		return planCapture(fn, s, stmt, captures)
	}
	for _, a := range guards.Of(fn, s, stmt) {
		if a.Write || !argument(stmt, a.Expr) {
			return nil
		}
	}
	return &plan{form: plain, waits: stmt, flags: guards.Flags(fn, s, stmt)}
}

func planCapture(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt, captured []captures.Capture) *plan {
	p := &plan{form: plain, waits: stmt, captures: captured, flags: captures.Flags(fn, s, captured, stmt)}
	if len(captured) > 0 {
		p.form = capture
	}
	return p
}

// planSelect plans to wait for a select without the lock. Where its cases need
// the lock, or leave the section, it is acquired again at the start of each.
func planSelect(fn *mutate.Function, s *mutate.Section, sel *ast.SelectStmt) *plan {
	var comms, bodies []ast.Stmt
	for _, c := range sel.Body.List {
		c := c.(*ast.CommClause)
		if c.Comm == nil {
			return nil // it does not wait
		}
		comms, bodies = append(comms, c.Comm), append(bodies, c.Body...)
	}
	e := effects.Of(fn, s, bodies...)
	handles := len(sectionedit.Inside(s.Releases, sel)) > 0 || e.Waits || e.Relocks
	if !handles && len(exits.Of(fn, sel)) == 0 && len(guards.Flags(fn, s, bodies...)) == 0 {
		return planPlain(fn, s, sel)
	}
	captured, ok := captures.Of(fn, s, comms...)
	for _, c := range comms {
		ok = ok && !s.Prepares(c)
	}
	if !ok || e.Relocks || len(sel.Body.List) == 0 {
		return nil
	}
	return &plan{form: cases, waits: sel, captures: captured, flags: captures.Flags(fn, s, captured, comms...)}
}

// planInit plans to move the init statement of an if or switch before it and
// to release around that. What it declares must not get in the way of names
// used further down.
func planInit(fn *mutate.Function, s *mutate.Section, stmt, init ast.Stmt) *plan {
	if !waits(fn, s, init) || s.Prepares(init) || !declaresFreely(fn, stmt, init) {
		return nil
	}
	captured, ok := captures.Of(fn, s, init)
	if !ok {
		return nil
	}
	return &plan{form: initial, waits: init, captures: captured, flags: captures.Flags(fn, s, captured, init)}
}

// declaresFreely reports whether the names that an init statement declares may
// be declared in the list that its statement stands in.
func declaresFreely(fn *mutate.Function, stmt, init ast.Stmt) bool {
	define, ok := init.(*ast.AssignStmt)
	if !ok || define.Tok != token.DEFINE {
		return true
	}
	st := mutate.Innermost(fn.Statements(), stmt)
	own := fn.File.Package.Info.Scopes[stmt]
	if own == nil || st.Stmt != stmt {
		return false
	}
	for _, lhs := range define.Lhs {
		id, ok := lhs.(*ast.Ident)
		if !ok || own.Parent().Lookup(id.Name) != nil && id.Name != "_" {
			return false
		}
		for _, later := range st.List[st.Index+1:] {
			if id.Name != "_" && usesFromOutside(fn, later, id.Name) {
				return false
			}
		}
	}
	return true
}

// usesFromOutside reports whether a statement uses a name that it does not declare itself.
func usesFromOutside(fn *mutate.Function, stmt ast.Stmt, name string) bool {
	return syntax.Any(stmt, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || id.Name != name {
			return false
		}
		obj := fn.File.Package.Info.Uses[id]
		return obj != nil && (obj.Pos() < stmt.Pos() || obj.Pos() >= stmt.End())
	})
}

// planHoist plans to evaluate the one operation that waits in a statement's
// expressions before the statement, without the lock.
func planHoist(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt, exprs ...ast.Expr) *plan {
	var op ast.Expr
	for _, e := range exprs {
		if e == nil {
			return nil
		}
		found, ok := waiting(fn, s, e)
		if !ok || found != nil && op != nil {
			return nil
		}
		if found != nil {
			op = found
		}
	}
	if op == nil || !waits(fn, s, &ast.ExprStmt{X: op}) || s.Prepares(stmt) {
		return nil
	}
	wait := &ast.ExprStmt{X: op}
	captured, ok := captures.Of(fn, s, wait)
	if !ok || fn.File.Package.Info.Types[op].IsVoid() || updates(fn, s, stmt, wait) {
		return nil
	}
	return &plan{form: hoist, waits: wait, op: op, captures: captured, flags: captures.Flags(fn, s, captured, wait)}
}

// planCondition plans to evaluate the condition of an if without the lock, where what waits in it is evaluated only
// sometimes, or is more than one operation. It uses nothing that the lock guards.
func planCondition(fn *mutate.Function, s *mutate.Section, stmt *ast.IfStmt) *plan {
	if _, several := ast.Unparen(stmt.Cond).(*ast.BinaryExpr); !several {
		return nil
	}
	wait := &ast.ExprStmt{X: stmt.Cond}
	captured, ok := captures.Of(fn, s, wait)
	if !ok || len(captured) > 0 || !waits(fn, s, wait) || s.Prepares(stmt) {
		return nil
	}
	return &plan{form: condition, waits: wait, op: stmt.Cond, flags: captures.Flags(fn, s, nil, wait)}
}

// updates reports whether a statement assigns to a guarded variable what is
// computed from it: an update in between would be lost.
func updates(fn *mutate.Function, s *mutate.Section, stmt, wait ast.Stmt) bool {
	reads := guards.Of(fn, s, wait)
	return slices.ContainsFunc(guards.Of(fn, s, stmt), func(a analysis.Access) bool {
		return a.Write && slices.ContainsFunc(reads, func(r analysis.Access) bool { return r.Var == a.Var })
	})
}

// waiting finds the call or receive in an expression that waits. ok is false
// where evaluating it earlier would not be the same: it is evaluated only
// sometimes, or there are more calls that do something.
func waiting(fn *mutate.Function, s *mutate.Section, e ast.Expr) (op ast.Expr, ok bool) {
	switch x := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		left, okLeft := waiting(fn, s, x.X)
		right, okRight := waiting(fn, s, x.Y)
		lazy := x.Op == token.LAND || x.Op == token.LOR
		switch {
		case !okLeft || !okRight || left != nil && right != nil || lazy && right != nil:
			return nil, false
		case left != nil:
			return left, true
		}
		return right, true
	case *ast.UnaryExpr:
		if x.Op == token.ARROW {
			return x, true
		}
		return waiting(fn, s, x.X)
	case *ast.CallExpr:
		if waits(fn, s, &ast.ExprStmt{X: x}) {
			return x, !slices.ContainsFunc(x.Args, func(arg ast.Expr) bool { return waits(fn, s, &ast.ExprStmt{X: arg}) })
		}
	}
	return nil, !waits(fn, s, &ast.ExprStmt{X: e})
}

// argument reports whether an expression is only evaluated for a call: part of
// what is called or of its arguments.
func argument(stmt ast.Stmt, e ast.Expr) bool {
	return syntax.Any(stmt, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && syntax.Within(e, call)
	})
}
