package releaseonce

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/tree"
)

//go:embed doc.go
var doc string

// Operator lets a resource be released once.
var Operator = &mutate.Operator{
	Name: "releaseonce",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Blocked: 4, evidence.Deadlock: 4, evidence.Timeout: 4, evidence.Panic: 4,
		evidence.TestFailure: 4, evidence.Race: 1.5,
	},
	Faults: []evidence.Fault{evidence.DoubleRelease, evidence.UnlockedMutex, evidence.NegativeWaitGroup},
	Needs:  "resource that a deferred call or a callee releases again",
	Edits:  edits,
	Apply:  apply,
}

// The ways to release once, as Edit.Form.
const (
	formRemove     = "remove"     // the statement Node
	formEverywhere = "everywhere" // it, and the same in other functions
	formCallee     = "callee"     // the statement Node of a function whose callers release
	formOnce       = "once"       // both call what releases once
)

// beliefs in forms that give up less, or change who releases. Guessed.
const (
	oneOfSeveral = 0.9
	byCaller     = 0.7
	idempotent   = 0.6
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range surpluses(fn) {
		e := s.edit(formRemove)
		if len(s.alike()) > 1 {
			all := s.edit(formEverywhere)
			out = append(out, all)
			e.Doubt(oneOfSeveral)
		}
		out = append(out, e)
		if s.deliberate() {
			once := s.edit(formOnce)
			once.Doubt(idempotent)
			out = append(out, once)
		}
	}
	for _, s := range byCallers(fn) {
		e := s.edit(formCallee)
		e.Doubt(byCaller)
		out = append(out, e)
	}
	return out
}

// edit is an edit of a form. It is as near to the evidence as what it is about.
func (s *surplus) edit(form string) mutate.Edit {
	e := s.fn.NewEdit("releaseonce", s.stmt.Stmt, s.stmt.Stmt)
	e.Form, e.Expr = form, s.path.String()
	if s.other != nil && form != formCallee {
		e.Other = s.fn.ID(s.other)
		at, _ := s.fn.Narrowing.HeatAt(s.other.Pos())
		e.Heat = max(e.Heat, at)
	}
	at, _ := s.op.fn.Narrowing.HeatAt(s.op.expr.Pos())
	e.Heat = max(e.Heat, at)
	return e
}

// alike are all that release the same field or variable of the package too often.
func (s *surplus) alike() []surplus {
	v := syntax.Variable(s.op.fn.File.Package.Info, s.op.expr)
	if v == nil || v.Kind() == types.LocalVar {
		return nil
	}
	type surplusesOf struct{ pkg *types.Package }
	all := mutate.Once(s.fn, surplusesOf{s.fn.File.Package.Types}, func() (all []surplus) {
		for _, g := range s.fn.OfPackage() {
			all = append(all, surpluses(g)...)
		}
		return all
	})
	return slices.DeleteFunc(slices.Clone(all), func(o surplus) bool {
		w := syntax.Variable(o.op.fn.File.Package.Info, o.op.expr)
		return w == nil || w.Origin() != v.Origin() || o.way != s.way
	})
}

// deliberate reports whether a statement releases before the end, with more to do behind
// it, where another one is deferred: both are needed.
func (s *surplus) deliberate() bool {
	_, byDefer := s.other.(*ast.DeferStmt)
	if !byDefer || !s.plain || deferred(s.stmt) || version.Compare(s.fn.File.Package.Types.GoVersion(), "go1.21") < 0 {
		return false
	}
	return slices.ContainsFunc(s.stmt.List[s.stmt.Index+1:], func(next ast.Stmt) bool {
		_, leaves := next.(*ast.ReturnStmt)
		return !leaves || !exits.Plain(s.fn, next)
	})
}

// byCallers lists what a function releases although each of its callers does so, too.
func byCallers(fn *mutate.Function) []surplus {
	sites := starts.Sites(fn)
	if _, declared := fn.Node.(*ast.FuncDecl); !declared || len(sites) == 0 || fn.Started() {
		return nil
	}
	var out []surplus
	for _, st := range fn.Statements() {
		for _, r := range releasesOf(fn, st.Stmt) {
			if !r.alone || len(fn.Body.List) == 1 || !slices.Contains(fn.Body.List, st.Stmt) {
				continue
			}
			released := func(site starts.Site) bool {
				path := translate(site.Fn, site.Expr, fn, r.path)
				there := op{way: r.way, path: path, expr: r.expr, fn: r.op.fn}
				for _, s := range surpluses(site.Fn) {
					if s.path == there.path && s.way == there.way && s.other == site.At.Stmt && deferred(s.stmt) {
						return true
					}
				}
				return false
			}
			if !slices.ContainsFunc(sites, func(site starts.Site) bool { return !released(site) }) {
				out = append(out, surplus{fn: fn, stmt: st, release: r})
			}
		}
	}
	return out
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn, at := m.Function(e.File, e.Node), stmtAt(m, e.File, e.Node)
	if fn == nil || m.StmtOf(e.File, at) == nil {
		return mutate.Refuse(e, "another edit removed the release")
	}
	switch e.Form {
	case formOnce:
		return once(m, e, fn, m.StmtOf(e.File, at))
	case formEverywhere:
		return everywhere(m, e, fn)
	}
	return takeOut(m, fn, at)
}

// takeOut removes a statement with the comment behind it, and the if around it that has no other.
func takeOut(m *mutate.Mutation, fn *mutate.Function, s ast.Stmt) error {
	file := fn.File.Rel
	if check := onlyFor(fn, s); check != nil {
		s = check
	}
	stmt := m.StmtOf(file, s)
	if stmt == nil {
		return fmt.Errorf("another edit removed the release from %s", file)
	}
	stmt.Decorations().End = nil
	return m.Remove(file, stmt)
}

// onlyFor is an if that has nothing else to do, and no effect: what it asks is a field or a
// parameter, which need not be used. nil: there is none.
func onlyFor(fn *mutate.Function, s ast.Stmt) ast.Stmt {
	for _, st := range fn.Statements() {
		check, ok := st.Stmt.(*ast.IfStmt)
		if !ok || check.Init != nil || check.Else != nil || len(check.Body.List) != 1 || check.Body.List[0] != s {
			continue
		}
		needed := syntax.Any(check.Cond, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr, *ast.UnaryExpr, *ast.IndexExpr:
				return true
			case *ast.Ident:
				v, ok := fn.File.Package.Info.Uses[n].(*types.Var)
				return ok && v.Kind() == types.LocalVar
			}
			return false
		})
		if !needed {
			return check
		}
	}
	return nil
}

func stmtAt(m *mutate.Mutation, file string, node int) ast.Stmt {
	s, _ := m.Syntax(file, node).(ast.Stmt)
	return s
}

// everywhere removes all that an edit is one of.
func everywhere(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function) error {
	for _, s := range surpluses(fn) {
		if fn.ID(s.stmt.Stmt) != e.Node || s.path.String() != e.Expr {
			continue
		}
		for _, o := range s.alike() {
			if err := takeOut(m, o.fn, o.stmt.Stmt); err != nil {
				return err
			}
		}
		return nil
	}
	return mutate.Refuse(e, "nothing is released twice here")
}

// once lets both statements call a function that releases once.
func once(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, stmt dst.Stmt) error {
	other, ok := m.StmtOf(e.File, stmtAt(m, e.File, e.Other)).(*dst.DeferStmt)
	if !ok {
		return mutate.Refuse(e, "another edit changed the deferred release")
	}
	pkg, err := m.Import(e.File, "sync")
	if err != nil {
		return err
	}
	name := scope.FreeName(fn, "release")
	lit := tree.Expr("func() {}").(*dst.FuncLit)
	body := dst.Clone(stmt).(dst.Stmt)
	body.Decorations().Start, body.Decorations().End = nil, nil
	body.Decorations().Before, body.Decorations().After = dst.None, dst.None
	lit.Body.List = []dst.Stmt{body}
	made := &dst.AssignStmt{Lhs: []dst.Expr{dst.NewIdent(name)}, Tok: token.DEFINE, Rhs: []dst.Expr{&dst.CallExpr{Fun: tree.Expr(pkg + ".OnceFunc"), Args: []dst.Expr{lit}}}}
	if err := m.Insert(e.File, other, false, made); err != nil {
		return err
	}
	other.Call = &dst.CallExpr{Fun: dst.NewIdent(name)}
	return m.Replace(e.File, stmt, &dst.ExprStmt{X: &dst.CallExpr{Fun: dst.NewIdent(name)}})
}
