package localize

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/checker/sched"
)

// A site is a line of the source.
type site struct {
	file string // absolute
	line int
}

func siteOf(f sched.Frame) site      { return site{f.File, f.Line} }
func siteOfPlace(p sched.Place) site { return site{p.File, p.Line} }
func (s site) compare(t site) int    { return cmp.Or(strings.Compare(s.file, t.file), s.line-t.line) }
func sortSites(list []site)          { slices.SortFunc(list, site.compare) }
func keyed[V any](m map[site]V) []site {
	var list []site
	for s := range m {
		list = append(list, s)
	}
	sortSites(list)
	return list
}

// sources know the program's statements.
type sources struct {
	program *analysis.Program
	all     *analysis.Narrowing // that holds every variable
}

func newSources(p *analysis.Program) *sources {
	return &sources{p, analysis.NarrowTo(p, func(analysis.FindingKind, string) bool { return true })}
}

// inside reports whether a site is in the module.
func (s *sources) inside(at site) bool { return s.program.File(at.file) != nil }

func (s *sources) test(at site) bool {
	f := s.program.File(at.file)
	return f != nil && f.Test
}

// rel is the name of a site for people, relative to the module.
func (s *sources) rel(at site) string {
	if at.file == "" { // of the goroutine that WaitGroup.Go starts, say
		return "a place in other code"
	}
	name := at.file
	if f := s.program.File(at.file); f != nil {
		name = f.Rel
	}
	return name + ":" + strconv.Itoa(at.line)
}

// text is the line of a site without the space around it.
func (s *sources) text(at site) string {
	f := s.program.File(at.file)
	if f == nil {
		return ""
	}
	lines := strings.Split(string(f.Source), "\n")
	if at.line < 1 || at.line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[at.line-1])
}

// statement is the innermost statement of a line, nil if there is none.
func (s *sources) statement(at site) (f *analysis.File, found ast.Stmt) {
	if f = s.program.File(at.file); f == nil {
		return nil, nil
	}
	least := 0
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		from, to := s.line(n.Pos()), s.line(n.End())
		if at.line < from || at.line > to {
			return false
		}
		stmt, ok := n.(ast.Stmt)
		if _, block := n.(*ast.BlockStmt); ok && !block {
			if found == nil || to-from <= least {
				found, least = stmt, to-from
			}
		}
		return true
	})
	return f, found
}

func (s *sources) line(pos token.Pos) int { return s.program.Fset.Position(pos).Line }

// function is the declared function around a site as Go people write it; of other
// code what the runtime calls it.
func (s *sources) function(at site, known string) string {
	if f := s.program.File(at.file); f != nil {
		for _, d := range f.AST.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && s.line(fn.Pos()) <= at.line && at.line <= s.line(fn.End()) {
				return analysis.FuncName(fn)
			}
		}
	}
	return evidence.ShortFunc(known)
}

// accesses are the variables that a line uses.
func (s *sources) accesses(at site) []analysis.Access {
	f, stmt := s.statement(at)
	if stmt == nil {
		return nil
	}
	return slices.DeleteFunc(s.all.Accesses(f, stmt), func(a analysis.Access) bool { return s.line(a.Expr.Pos()) != at.line })
}

// variable is what accesses at all these sites have in common: its name and the
// variable, nil if nothing is known.
func (s *sources) variable(at ...site) (string, *types.Var) {
	counts := map[*types.Var]int{}
	var order []analysis.Access
	for i, p := range at {
		seen := map[*types.Var]bool{}
		for _, a := range s.accesses(p) {
			if !seen[a.Var] {
				seen[a.Var] = true
				counts[a.Var]++
				if i == 0 {
					order = append(order, a)
				}
			}
		}
	}
	best := -1
	for i, a := range order {
		if best < 0 || counts[a.Var] > counts[order[best].Var] ||
			counts[a.Var] == counts[order[best].Var] && (a.Write && !order[best].Write || a.Var.IsField() && !order[best].Var.IsField()) {
			best = i
		}
	}
	if best < 0 || counts[order[best].Var] < len(at) && len(order) > 1 {
		return "", nil
	}
	return s.varName(order[best].Var, order[best].Expr), order[best].Var
}

// varName is a field with its type's name, or the expression.
func (s *sources) varName(v *types.Var, e ast.Expr) string {
	if !v.IsField() || v.Pkg() == nil {
		return v.Name()
	}
	scope := v.Pkg().Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if st, ok := t.Type().Underlying().(*types.Struct); ok {
			for i := range st.NumFields() {
				if st.Field(i) == v {
					return name + "." + v.Name()
				}
			}
		}
	}
	return types.ExprString(e)
}

// lock is the expression of the lock that a line acquires, "" if it is not known.
func (s *sources) lock(at site) string {
	f, stmt := s.statement(at)
	if stmt == nil {
		return ""
	}
	name := ""
	ast.Inspect(stmt, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && name == "" && s.line(call.Pos()) == at.line {
			if l, _, ok := s.program.LockOf(f, call); ok {
				name = l.Expr
			}
		}
		return name == ""
	})
	return name
}

// conditional reports whether a line is the condition of a statement.
func (s *sources) conditional(at site) bool {
	_, stmt := s.statement(at)
	switch stmt := stmt.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt:
		return true
	case *ast.AssignStmt: // the first part of an if
		_ = stmt
		return strings.HasPrefix(s.text(at), "if ")
	}
	return false
}

// callback reports whether a place is in a function that a timer calls.
func (s *sources) callback(at site) bool {
	f := s.program.File(at.file)
	if f == nil {
		return false
	}
	var of types.Object
	for _, d := range f.AST.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && s.line(fn.Pos()) <= at.line && at.line <= s.line(fn.End()) {
			of = f.Package.Info.Defs[fn.Name]
		}
	}
	if of == nil {
		return false
	}
	return slices.ContainsFunc(f.Package.Files, func(f *analysis.File) bool {
		return syntax.Any(f.AST, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return false
			}
			timer := syntax.Callee(f.Package.Info, call.Fun)
			return timer != nil && timer.FullName() == "time.AfterFunc" && syntax.Names(f.Package.Info, call.Args[1], of)
		})
	})
}

// updates reports whether the statement of a line reads and writes one variable:
// n++, n += 1, n = n + 1.
func (s *sources) updates(at site) bool {
	_, stmt := s.statement(at)
	switch stmt := stmt.(type) {
	case *ast.IncDecStmt:
		return true
	case *ast.AssignStmt:
		if len(stmt.Lhs) == 0 {
			return false
		}
		if stmt.Tok.String() != "=" && stmt.Tok.String() != ":=" {
			return true
		}
		left := types.ExprString(stmt.Lhs[0])
		found := false
		for _, e := range stmt.Rhs {
			ast.Inspect(e, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok && types.ExprString(e) == left {
					found = true
				}
				return !found
			})
		}
		return found
	}
	return false
}
