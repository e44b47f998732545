package skipstale

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/receiver"
)

// A drop is a critical section in which somebody else drops or replaces what is stored.
type drop struct {
	fn      *mutate.Function
	recv    *ast.Ident
	section *mutate.Section
	gone    bool     // it takes something out, or empties; otherwise it stores something else
	key     ast.Expr // of the element; nil: all go, or it is not known
	whole   bool     // all go
}

// dropped reports whether somebody takes out what is stored.
func (s *stale) dropped() bool {
	return slices.ContainsFunc(s.drops, func(d drop) bool { return d.gone })
}

// others finds the sections of other methods of the type that drop or replace what is stored.
func (s *stale) others() {
	for _, fn := range s.fn.OfPackage() {
		of, ok := receiver.Of(fn)
		if !ok || fn.File.Test || of.Method.Node == s.of.Method.Node || of.Type != s.of.Type {
			continue
		}
		for _, section := range fn.Sections() {
			if section.Lock.Key != s.lock.Key || section.Read || section.Again {
				continue
			}
			d := drop{fn: fn, recv: of.Name, section: section}
			if s.droppedIn(&d) {
				s.drops = append(s.drops, d)
			}
		}
	}
}

// droppedIn looks for what a section drops or replaces, itself or by a method of the value that it calls.
func (s *stale) droppedIn(d *drop) (found bool) {
	info := d.fn.File.Package.Info
	recv := info.Defs[d.recv]
	for _, st := range d.fn.Statements() {
		if !d.section.Holds(st.Stmt) {
			continue
		}
		if s.drop(d, d.fn, recv, st.Stmt, true) {
			found = true
			continue
		}
		if !simple(st.Stmt) {
			continue
		}
		for _, c := range d.fn.Calls(st.Stmt) {
			sel, ok := ast.Unparen(c.Expr.Fun).(*ast.SelectorExpr)
			of, method := receiver.Of(c.To)
			if !ok || !syntax.Is(info, sel.X, recv) || !method || of.Method != c.To || c.To.Node == s.of.Method.Node || sweeps(d.fn, st.Stmt, s.fields) {
				continue
			}
			for _, inner := range c.To.Statements() {
				if s.drop(d, c.To, c.To.File.Package.Info.Defs[of.Name], inner.Stmt, false) {
					found = true
				}
			}
		}
	}
	return found
}

// drop notes what one statement drops or replaces of what is stored.
func (s *stale) drop(d *drop, fn *mutate.Function, recv types.Object, stmt ast.Stmt, own bool) bool {
	info := fn.File.Package.Info
	field := func(e ast.Expr) bool {
		v := fieldOf(info, recv, e)
		return v != nil && slices.Contains(s.fields, v)
	}
	if v, method, call := contained(info, recv, stmt); v != nil && slices.Contains(s.fields, v) && !sweeps(fn, stmt, s.fields) {
		switch {
		case syntax.Removes(method) && len(call.Args) > 0:
			d.gone = true
			if own {
				d.key = call.Args[0]
			}
			return true
		case syntax.Empties(method):
			d.gone, d.whole = true, true
			return true
		}
	}
	if expr, ok := stmt.(*ast.ExprStmt); ok {
		if call, ok := ast.Unparen(expr.X).(*ast.CallExpr); ok && len(call.Args) > 0 && field(call.Args[0]) && !sweeps(fn, stmt, s.fields) {
			switch syntax.Builtin(info, call) {
			case "delete":
				d.gone = true
				if own {
					d.key = call.Args[1]
				}
				return true
			case "clear":
				d.gone, d.whole = true, true
				return true
			}
		}
	}
	for _, p := range putsOf(info, recv, stmt) {
		if !slices.Contains(s.fields, p.field) || loaded(fn, p.value, stmt.Pos(), stmt.Pos()) != nil {
			continue
		}
		if p.key == nil {
			d.gone, d.whole = true, true
		} else if own {
			d.key = p.key
		}
		return true
	}
	return false
}

// simple reports whether a statement has no others inside.
func simple(stmt ast.Stmt) bool {
	switch stmt.(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt:
		return true
	}
	return false
}

// sweeps reports whether a statement is in a loop that drops what is old, or what is too much: nothing has changed
// that it stands for.
func sweeps(fn *mutate.Function, stmt ast.Stmt, fields []*types.Var) bool {
	info := fn.File.Package.Info
	for _, n := range syntax.Path(fn.Body, stmt) {
		var cond ast.Expr
		switch n := n.(type) {
		case *ast.IfStmt:
			cond = n.Cond
		case *ast.ForStmt:
			cond = n.Cond
		}
		if cond != nil && syntax.Any(cond, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if syntax.Builtin(info, n) == "len" {
					v := syntax.Field(info, n.Args[0])
					return v != nil && slices.Contains(fields, v.Origin())
				}
				return byTime(info, n)
			case *ast.BinaryExpr:
				return syntax.Compares(n.Op) && (isTime(info.TypeOf(n.X)) || isTime(info.TypeOf(n.Y)))
			}
			return false
		}) {
			return true
		}
	}
	return false
}

// byTime reports whether a call asks whether one time is before another.
func byTime(info *types.Info, call *ast.CallExpr) bool {
	f := syntax.Callee(info, call.Fun)
	return f != nil && (f.FullName() == "(time.Time).After" || f.FullName() == "(time.Time).Before")
}

// isTime reports whether a type is a time or a duration.
func isTime(t types.Type) bool {
	name := types.TypeString(t, nil)
	return name == "time.Time" || name == "time.Duration"
}
