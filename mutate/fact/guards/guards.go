package guards

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// maxCalls is how deep calls are followed to see what a callee uses under its caller's lock.
const MaxCalls = 3

// Flags are the flags of an edit that leaves some statements of a section
// without its lock: DropsGuard if they use what the lock guards, here or in a
// function they call that does not take the lock itself.
func Flags(fn *mutate.Function, s *mutate.Section, stmts ...ast.Stmt) []mutate.Flag {
	if len(Of(fn, s, stmts...)) > 0 || CalleesUse(fn, s, stmts, nil, MaxCalls, make(map[*types.Func]bool)) {
		return []mutate.Flag{mutate.DropsGuard}
	}
	return nil
}

// CalleesUse reports whether functions called in some statements, up to a number
// of calls deep, use what a caller's section s guards and do not lock it.
// Calls within the statements of locked are passed over.
func CalleesUse(fn *mutate.Function, s *mutate.Section, stmts, locked []ast.Stmt, depth int, seen map[*types.Func]bool) bool {
	var called []*mutate.Function
	for _, stmt := range stmts {
		syntax.Now(stmt, func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok || syntax.Within(call, locked...) {
				return
			}
			f := syntax.Callee(fn.File.Package.Info, call.Fun)
			if to := s.Fn.Declaration(f); to != nil && !seen[f] {
				seen[f] = true
				called = append(called, to)
			}
		})
	}
	for _, to := range called {
		var locked []ast.Stmt
		for _, own := range to.Sections() {
			if own.Lock.Key == s.Lock.Key {
				locked = slices.AppendSeq(locked, maps.Keys(own.Under))
			}
		}
		if guardsIn(s, to, locked) || depth > 1 && CalleesUse(to, s, to.Body.List, locked, depth-1, seen) {
			return true
		}
	}
	return false
}

// guardsIn reports whether another function uses what the section's lock guards
// outside of some statements: shared variables, and those that are used under the lock
// elsewhere, whether anybody has seen that they are shared or not.
func guardsIn(s *mutate.Section, fn *mutate.Function, locked []ast.Stmt) bool {
	var used []analysis.Access
	beside, unnamed := beside(s.Fn, s.Expr)
	if unnamed {
		used = uses(fn, beside, fn.Body.List)
	} else {
		elsewhere := guardedBy(s.Fn, s.Lock.Key)
		used = slices.DeleteFunc(slices.Clone(fn.Program.Uses(fn.File, fn.Node)), func(a analysis.Access) bool {
			v := a.Var.Origin()
			return elsewhere[v] == 0 && !(beside[v] && s.Fn.Narrowing.Shared(v)) || s.Fn.Immutable(v)
		})
	}
	return slices.ContainsFunc(used, func(a analysis.Access) bool { return !syntax.Within(a.Expr, locked...) })
}

// Of lists the uses, in some statements of a section, of what its lock
// guards, in source order: fields that share an unnamed struct with the mutex,
// and shared variables that are fields beside the mutex, of the same value, or
// that another section of the same lock uses too. What lies beside the mutex
// of another section that is held there is that section's. A variable that
// keeps the value it was made with needs no guard ([Function.Immutable]).
func Of(fn *mutate.Function, s *mutate.Section, stmts ...ast.Stmt) []analysis.Access {
	beside, unnamed := beside(fn, s.Expr)
	if unnamed {
		return uses(fn, beside, stmts)
	}
	elsewhere := guardedBy(fn, s.Lock.Key)
	others := slices.DeleteFunc(fn.Sections(), func(o *mutate.Section) bool { return o.Acquire == s.Acquire || o.SameLock(s) })
	var guarded []analysis.Access
	for _, a := range fn.Accesses(stmts...) {
		v := a.Var.Origin()
		if beside[v] && !guardsValue(s, a.Expr) || !beside[v] && elsewhere[v] < 2 { // s itself is one
			continue
		}
		if fn.Immutable(v) {
			continue
		}
		if !slices.ContainsFunc(others, func(o *mutate.Section) bool { return guardsHere(o, a) }) {
			guarded = append(guarded, a)
		}
	}
	return guarded
}

// guardsHere reports whether a variable lies beside the section's mutex and is
// used while that is held.
func guardsHere(s *mutate.Section, a analysis.Access) bool {
	beside, _ := beside(s.Fn, s.Expr)
	return beside[a.Var.Origin()] && guardsValue(s, a.Expr) && syntax.Within(a.Expr, slices.Collect(maps.Keys(s.Under))...)
}

// guardsValue reports whether a field, of the struct that the section's mutex is
// a field of, belongs to the same value as the mutex: src.mu does not guard
// dst.data. Where either is reached in another way than by names it is taken to.
func guardsValue(s *mutate.Section, field ast.Expr) bool {
	sel, ok := ast.Unparen(field).(*ast.SelectorExpr)
	if !ok {
		return true
	}
	owner := s.Expr
	if lock, ok := ast.Unparen(s.Expr).(*ast.SelectorExpr); ok && !embedsMutex(s.Fn.File.Package.Info.TypeOf(s.Expr)) {
		owner = lock.X
	}
	owner, of := syntax.Unembedded(s.Fn.File.Package.Info, owner), syntax.Unembedded(s.Fn.File.Package.Info, sel.X)
	if syntax.Root(owner) == nil || syntax.Root(of) == nil {
		return true
	}
	return syntax.Same(s.Fn.File.Package.Info, owner, of)
}

// guardedBy counts the sections of a lock that use each variable.
func guardedBy(fn *mutate.Function, key string) map[*types.Var]int {
	return mutate.Once(fn, sectionsKey{}, func() map[string]map[*types.Var]int { return usedUnder(fn.Program) })[key]
}

// sectionsKey is the key of what [usedUnder] finds.
type sectionsKey struct{}

// usedUnder counts, for each lock of a program, the critical sections that use a variable,
// by the lock's key.
func usedUnder(p *analysis.Program) map[string]map[*types.Var]int {
	counts := make(map[string]map[*types.Var]int)
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			if f.Test {
				continue
			}
			ast.Inspect(f.AST, func(n ast.Node) bool {
				var body *ast.BlockStmt
				switch n := n.(type) {
				case *ast.FuncDecl:
					body = n.Body
				case *ast.FuncLit:
					body = n.Body
				}
				if body != nil {
					fn := &mutate.Function{Program: p, File: f, Node: n, Body: body}
					countSections(fn, counts)
				}
				return true
			})
		}
	}
	return counts
}

// countSections counts the function's sections at the variables they use.
func countSections(fn *mutate.Function, counts map[string]map[*types.Var]int) {
	for _, s := range fn.Sections() {
		vars := counts[s.Lock.Key]
		if vars == nil {
			vars = make(map[*types.Var]int)
			counts[s.Lock.Key] = vars
		}
		seen := make(map[*types.Var]bool)
		for _, stmt := range s.Body {
			ast.Inspect(stmt, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				if v, ok := fn.File.Package.Info.Uses[id].(*types.Var); ok && !seen[v.Origin()] {
					seen[v.Origin()] = true
					vars[v.Origin()]++
				}
				return true
			})
		}
	}
}

// beside is the fields of the struct that a mutex is a field of, and whether
// that struct has no name of its own, which is a way of saying that the mutex
// guards the rest of it. The map must not be changed.
func beside(fn *mutate.Function, lock ast.Expr) (fields map[*types.Var]bool, unnamed bool) {
	t := fn.File.Package.Info.TypeOf(lock)
	if sel, ok := ast.Unparen(lock).(*ast.SelectorExpr); ok && !embedsMutex(t) {
		if t = fn.File.Package.Info.TypeOf(sel.X); t == nil { // a package's name
			return nil, false
		}
	}
	if t == nil {
		return nil, false
	}
	if sel, ok := ast.Unparen(lock).(*ast.SelectorExpr); ok {
		t = embeddedOwner(fn.File.Package.Info.Selections[sel], t)
	}
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := types.Unalias(t).Underlying().(*types.Struct)
	if !ok {
		return nil, false
	}
	_, named := types.Unalias(t).(*types.Named)
	return mutate.Once(fn, fieldsOf{st}, func() map[*types.Var]bool {
		fields := make(map[*types.Var]bool)
		for f := range st.Fields() {
			if !syntax.FromSync(f.Type()) {
				fields[f.Origin()] = true
			}
		}
		return fields
	}), !named
}

// fieldsOf is the key of the fields of a struct.
type fieldsOf struct{ *types.Struct }

// embeddedOwner is the type of the struct that a selected field stands in: the
// one selected from or, for a promoted field, one embedded in it.
func embeddedOwner(s *types.Selection, t types.Type) types.Type {
	if s == nil || s.Kind() != types.FieldVal {
		return t
	}
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := types.Unalias(t).Underlying().(*types.Struct)
		if !ok {
			return t
		}
		t = st.Field(i).Type()
	}
	return t
}

// embedsMutex reports whether a struct has the lock's methods from a mutex embedded in it.
func embedsMutex(t types.Type) bool {
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if syntax.FromSync(t) {
		return false
	}
	_, ok := types.Unalias(t).Underlying().(*types.Struct)
	return ok
}

// uses lists the uses of some fields in statements, shared or not, function
// literals left out.
func uses(fn *mutate.Function, fields map[*types.Var]bool, stmts []ast.Stmt) []analysis.Access {
	var found []analysis.Access
	for _, stmt := range stmts {
		written := make(map[ast.Expr]bool)
		syntax.WalkOwn(stmt, func(n ast.Node, _ []ast.Node) {
			if s, ok := n.(ast.Stmt); ok {
				for _, e := range syntax.Assigned(s) {
					written[variable(e)] = true
				}
			}
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return
			}
			if v, ok := fn.File.Package.Info.ObjectOf(sel.Sel).(*types.Var); ok && fields[v.Origin()] {
				found = append(found, analysis.Access{Var: v.Origin(), Expr: sel, Write: written[sel]})
			}
		})
	}
	return found
}

// variable is the part of an assigned expression that names a variable: a.b of a.b[i].
func variable(e ast.Expr) ast.Expr {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return x
		}
	}
}
