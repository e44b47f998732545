package askagain

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/syncops"
)

// Whoever has made something between the sections, and finds at the second question that it is no longer needed, has it
// left over: a store that was opened, a connection. It is closed, when the lock is free again.

// A surplus is what a function has made between two sections for the later one, and has to be closed if that does not
// take it.
type surplus struct {
	v    *types.Var
	call string // "s.Close()"
}

// surplusOf finds what is made by a call in some statements and named in the later section; nil: nothing that has an end.
func surplusOf(fn *mutate.Function, between []ast.Stmt, later *mutate.Section) *surplus {
	info := fn.File.Package.Info
	for _, s := range between {
		assign, ok := s.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 {
			continue
		}
		if _, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr); !ok {
			continue
		}
		id, ok := assign.Lhs[0].(*ast.Ident)
		if !ok {
			continue
		}
		v, ok := info.ObjectOf(id).(*types.Var)
		if !ok || v.IsField() || !slices.ContainsFunc(later.Body, func(s ast.Stmt) bool { return syntax.Names(info, s, v) }) {
			continue
		}
		for _, name := range syncops.Releasing {
			o, _, _ := types.LookupFieldOrMethod(v.Type(), true, fn.File.Package.Types, name)
			if m, ok := o.(*types.Func); ok && m.Signature().Params().Len() == 0 {
				return &surplus{v: v, call: v.Name() + "." + name + "()"}
			}
		}
	}
	return nil
}

// closable is what is left over, if it can be closed with the lock free: a deferred release has to become explicit
// for that.
func closable(fn *mutate.Function, s *surplus, later *mutate.Section) *surplus {
	if s != nil && later.Deferred {
		if _, ok := returnsBehind(fn, later.Releases[0]); !ok || slices.ContainsFunc(later.Body, func(s ast.Stmt) bool { return callsOthers(fn, s) }) {
			return nil
		}
	}
	return s
}

// callsOthers reports whether a statement calls a function value or a method of an interface, which may panic: a
// deferred release comes then, too.
func callsOthers(fn *mutate.Function, s ast.Stmt) bool {
	info := fn.File.Package.Info
	return syntax.Any(s, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || info.Types[call.Fun].IsType() || info.Types[call.Fun].IsBuiltin() {
			return false
		}
		f := syntax.Callee(info, call.Fun)
		return f == nil || f.Signature().Recv() != nil && types.IsInterface(f.Signature().Recv().Type()) && f.Pkg() != nil
	})
}

// apart gives the answers of a repeated question names that what is left over does not have.
func (s *surplus) apart(fn *mutate.Function, code string) string {
	if s == nil {
		return code
	}
	return regexp.MustCompile(`(^|[^.\w])`+regexp.QuoteMeta(s.v.Name())+`\b`).ReplaceAllString(code, "${1}"+scope.FreeName(fn, "other"))
}

// leaders is the last of the statements at the beginning of a section that leave it because of what came of the statements
// between, such as an error; nil: there is none.
func leaders(fn *mutate.Function, between []ast.Stmt, later *mutate.Section) (last ast.Stmt) {
	info := fn.File.Package.Info
	made := map[types.Object]bool{}
	for _, s := range between {
		for _, e := range syntax.Assigned(s) {
			if id, ok := ast.Unparen(e).(*ast.Ident); ok && info.ObjectOf(id) != nil {
				made[info.ObjectOf(id)] = true
			}
		}
	}
	for _, s := range later.Body {
		test, ok := s.(*ast.IfStmt)
		if !ok || test.Init != nil || test.Else != nil || !left(test.Body.List) || len(fn.Accesses(&ast.ExprStmt{X: test.Cond})) > 0 ||
			!syntax.Any(test.Cond, func(n ast.Node) bool { id, ok := n.(*ast.Ident); return ok && made[info.Uses[id]] }) {
			break
		}
		last = s
	}
	return last
}

// returnsBehind are the returns of a function behind a statement, if all of them, and nothing else, leave it, and
// none returns what is shared.
func returnsBehind(fn *mutate.Function, after ast.Stmt) (all []ast.Stmt, ok bool) {
	for _, st := range fn.Statements() {
		ret, isReturn := st.Stmt.(*ast.ReturnStmt)
		if st.Stmt.Pos() < after.Pos() {
			continue
		}
		if _, defers := st.Stmt.(*ast.DeferStmt); defers && st.Stmt != after {
			return nil, false
		}
		if !isReturn {
			continue
		}
		if len(fn.Accesses(ret)) > 0 || len(fn.Calls(ret)) > 0 {
			return nil, false
		}
		all = append(all, ret)
	}
	list := fn.Body.List
	return all, len(all) > 0 && exits.Terminates(fn, list[len(list)-1])
}

// explicit has the deferred release of a section become one at each return behind it, where something is closed with the
// lock free. What has been inserted by then releases it itself.
func explicit(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, s *mutate.Section, left *surplus) error {
	if left == nil || !s.Deferred {
		return nil
	}
	returns, ok := returnsBehind(fn, s.Releases[0])
	deferred := m.StmtOf(e.File, s.Releases[0])
	if !ok || deferred == nil {
		return mutate.Refuse(e, "another edit changed the second section")
	}
	_, release := s.Methods()
	for _, r := range returns {
		anchor := m.StmtOf(e.File, r)
		if anchor == nil {
			return mutate.Refuse(e, "another edit changed how the function returns")
		}
		if err := m.InsertSnippet(e.File, anchor, false, s.Lock.Expr+"."+release+"()"); err != nil {
			return err
		}
	}
	if list, i, ok := m.ListOf(e.File, deferred); ok && i+1 < len(*list) { // what comes next stands by itself as before
		next := (*list)[i+1].Decorations()
		if next.Before == dst.NewLine {
			next.Before = deferred.Decorations().After
		}
		if next.Before == dst.None {
			next.Before = dst.NewLine
		}
	}
	return m.Remove(e.File, deferred)
}

// closing is the code that closes what is left over, where a statement leaves.
func (s *surplus) closing(list []string) []string {
	if s == nil || len(list) == 0 || strings.Contains(strings.Join(list, "\n"), s.call) {
		return list
	}
	return slices.Insert(list, len(list)-1, s.call)
}
