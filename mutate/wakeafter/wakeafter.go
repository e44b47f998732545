package wakeafter

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator wakes those who wait behind a change of what they wait for.
var Operator = &mutate.Operator{
	Name:   "wakeafter",
	Doc:    doc,
	Prior:  map[evidence.Kind]float64{evidence.Deadlock: 3, evidence.Blocked: 3, evidence.Timeout: 3, evidence.TestFailure: 1.5},
	Faults: []evidence.Fault{evidence.MissedSignal, evidence.ReceiverAlone},
	Needs:  "change of a field that others wait for, with nothing behind it that wakes them",
	Edits:  edits,
	Apply:  apply,
}

// exit is the form of an edit in front of a return, which comes before what wakes; others stand behind the change.
const exit = "exit"

// otherwise is the belief in a wake-up behind a change of another kind than those that are followed by one: a count
// that grows where others shrink. Guessed.
const otherwise = 0.6

func edits(fn *mutate.Function) (all []mutate.Edit) {
	if fn.File.Test {
		return nil
	}
	found := wakers(fn)
	for _, st := range fn.Statements() {
		for _, c := range changes(fn, st.Stmt) {
			for _, w := range found {
				if !w.concerns(fn, st, c) {
					continue
				}
				add := func(at ast.Stmt, form string) {
					e := fn.NewEdit("wakeafter", at, st.Stmt, at)
					e.Form, e.Expr, e.Note, e.Sure = form, types.ExprString(c.of)+w.call, "those who wait may go on now", true
					e.Vars = append(e.Vars, fn.VarName(c.field))
					if !slices.Contains(w.kinds, c.kind()) {
						e.Doubt(otherwise)
					}
					all = append(all, e)
				}
				if !w.wakesBehind(fn, st) {
					add(last(st), "")
					continue
				}
				for _, ret := range w.early(fn, st) {
					add(ret, exit)
				}
			}
		}
	}
	return all
}

// last is the last of the assignments that a change begins: they belong together.
func last(st mutate.Statement) ast.Stmt {
	at := st.Stmt
	for _, next := range st.List[st.Index+1:] {
		assign, ok := next.(*ast.AssignStmt)
		if !ok || assign.Tok == token.DEFINE || syntax.Any(assign, func(n ast.Node) bool { _, calls := n.(*ast.CallExpr); return calls }) {
			break
		}
		at = next
	}
	return at
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	stmt := m.Stmt(e.File, e.Node)
	if stmt == nil {
		return mutate.Refuse(e, "another edit removed the change")
	}
	return m.InsertSnippet(e.File, stmt, e.Form != exit, "// "+e.Note+"\n"+e.Expr)
}

// A change is of a field of a value.
type change struct {
	field *types.Var
	of    ast.Expr // the value
	how   string   // "-=", "Remove"; of a method of the value that makes it, the method's name
}

// kind tells changes of a field apart by how they are made.
func (c change) kind() string { return c.field.Name() + " " + c.how }

// changes are those that a statement makes: it assigns to a field or an element of it, or calls a method of a field
// that has one, or delete, or an unexported method of the value that does so under the lock of who calls it.
func changes(fn *mutate.Function, s ast.Stmt) []change {
	all := own(fn, s)
	stmt, ok := s.(*ast.ExprStmt)
	if !ok {
		return all
	}
	for _, c := range fn.Calls(stmt) {
		decl, declared := c.To.Node.(*ast.FuncDecl)
		sel, method := ast.Unparen(c.Expr.Fun).(*ast.SelectorExpr)
		if !declared || !method || decl.Recv == nil || decl.Name.IsExported() || c.To == fn || ast.Expr(c.Expr) != ast.Unparen(stmt.X) ||
			fn.Path(sel.X).Root == nil || len(c.To.Sections()) > 0 || wakes(c.To) {
			continue
		}
		info := c.To.File.Package.Info
		for _, inner := range c.To.Statements() {
			for _, made := range own(c.To, inner.Stmt) {
				id, ok := ast.Unparen(made.of).(*ast.Ident)
				if ok && len(decl.Recv.List[0].Names) > 0 && info.Uses[id] == info.Defs[decl.Recv.List[0].Names[0]] {
					all = append(all, change{made.field, sel.X, decl.Name.Name})
				}
			}
		}
	}
	return all
}

// own are the changes that a statement makes itself.
func own(fn *mutate.Function, s ast.Stmt) (all []change) {
	info := fn.File.Package.Info
	add := func(e ast.Expr, how string) {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.IndexExpr:
				e = x.X
				continue
			case *ast.SelectorExpr:
				if v, ok := info.Uses[x.Sel].(*types.Var); ok && v.IsField() && fn.Path(x.X).Root != nil && !fn.Fresh(x) {
					all = append(all, change{v.Origin(), syntax.Owner(info, x.X), how})
				}
			}
			return
		}
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			add(e, s.Tok.String())
		}
	case *ast.IncDecStmt:
		add(s.X, s.Tok.String())
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok {
			break
		}
		if name := syntax.Builtin(info, call); (name == "delete" || name == "clear") && len(call.Args) > 0 {
			add(call.Args[0], name)
		} else if f := syntax.Callee(info, call.Fun); f != nil && container(f) {
			add(ast.Unparen(call.Fun).(*ast.SelectorExpr).X, f.Name())
		}
	}
	return all
}

// container reports whether a method changes a list or ring of the standard library.
func container(f *types.Func) bool {
	if f.Pkg() == nil || f.Signature().Recv() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "container/list", "container/ring":
		return f.Name() != "Len" && f.Name() != "Front" && f.Name() != "Back"
	}
	return false
}
