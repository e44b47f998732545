package askagain

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// formAlone is the form of the edits that let one at a time do what the first section has found to be necessary.
const formAlone = "alone"

// An alone is a section that finds out whether something has to be done, which takes long, and a later one that stores
// what came of it in the same value. Those who come in between wait for a lock of the value, and ask again.
type alone struct {
	*whole
	of     types.Object    // the value in which the later section stores it
	stored analysis.Access // how
	again  []ast.Stmt      // of the first section: what is read of the value
}

// alones finds those of a function, in source order.
func alones(fn *mutate.Function) (out []*alone) {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok {
		return nil
	}
	sections := fn.Sections()
	for i := range decl.Body.List {
		for _, w := range starts(fn, decl.Body.List, i, sections) {
			a := &alone{whole: w}
			if w.call == nil && a.complete(sections) {
				out = append(out, a)
			}
		}
	}
	return out
}

// complete finds the tests, the later section, the value and what is read of it.
func (a *alone) complete(sections []*mutate.Section) bool {
	for ; a.end < len(a.list); a.end++ {
		test, ok := a.list[a.end].(*ast.IfStmt)
		if !ok || test.Init != nil || test.Else != nil || !left(test.Body.List) || !returns(test.Body) || !asking(a.fn, &ast.ExprStmt{X: test.Cond}, nil, maxFrames) || !a.asks(test) {
			break
		}
		a.tests = append(a.tests, test)
	}
	if len(a.tests) == 0 {
		return false
	}
	if a.next = a.later(sections); a.next == nil || len(a.fn.HeldAt(a.list[a.first])) > 0 || !a.slow() || !a.stores() {
		return false
	}
	info := a.fn.File.Package.Info
	for _, s := range a.asked {
		assign, ok := s.(*ast.AssignStmt)
		if !ok || !asking(a.fn, s, nil, maxFrames) {
			continue
		}
		if slices.ContainsFunc(assign.Rhs, func(e ast.Expr) bool { return syntax.Names(info, e, a.of) }) && !slices.ContainsFunc(assign.Lhs, func(e ast.Expr) bool { return !own(a.fn, e) }) {
			a.again = append(a.again, s)
		}
	}
	return len(a.again) > 0 && a.decidedBy()
}

// slow reports whether code of others is called between the sections: by an interface, or a function value that is no
// clock.
func (a *alone) slow() bool {
	info := a.fn.File.Package.Info
	return slices.ContainsFunc(a.between(), func(s ast.Stmt) bool {
		return syntax.Any(s, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || info.Types[call.Fun].IsType() || syntax.Builtin(info, call) != "" {
				return false
			}
			f := syntax.Callee(info, call.Fun)
			if f == nil {
				return !plainCall(info, call) || mayFail(info, call)
			}
			recv := f.Signature().Recv()
			return recv != nil && types.IsInterface(recv.Type()) && f.Pkg() != nil
		})
	})
}

// mayFail reports whether a call returns an error, among others.
func mayFail(info *types.Info, call *ast.CallExpr) bool {
	results, ok := info.TypeOf(call).(*types.Tuple)
	return ok && results.Len() > 0 && types.TypeString(results.At(results.Len()-1).Type(), nil) == "error"
}

// stores finds the value that the later section stores something in: an answer of the first that points to a struct of the
// package, or else the receiver.
func (a *alone) stores() bool {
	info := a.fn.File.Package.Info
	answers := a.answers()
	for _, s := range a.next.Body {
		for _, e := range syntax.Assigned(s) {
			sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
			if !ok {
				continue
			}
			id, ok := ast.Unparen(sel.X).(*ast.Ident)
			if !ok {
				continue
			}
			v, _ := info.Uses[id].(*types.Var)
			field := syntax.Field(info, sel)
			if v == nil || field == nil || !answers[v] && v.Kind() != types.RecvVar {
				continue
			}
			if p, ok := types.Unalias(v.Type()).(*types.Pointer); !ok || !isOwnStruct(a.fn, p.Elem()) {
				continue
			}
			a.of, a.stored = v, analysis.Access{Var: field, Expr: sel}
			return true
		}
	}
	return false
}

// isOwnStruct reports whether a type is a struct of the function's package, with a name.
func isOwnStruct(fn *mutate.Function, t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() != fn.File.Package.Types {
		return false
	}
	_, ok = named.Underlying().(*types.Struct)
	return ok
}

// decidedBy reports whether the last test decides by what is read of the value, so that it is asked again.
func (a *alone) decidedBy() bool {
	info := a.fn.File.Package.Info
	last := a.tests[len(a.tests)-1]
	return slices.ContainsFunc(a.again, func(s ast.Stmt) bool {
		return slices.ContainsFunc(s.(*ast.AssignStmt).Lhs, func(e ast.Expr) bool {
			id, ok := e.(*ast.Ident)
			return ok && info.ObjectOf(id) != nil && syntax.Names(info, last, info.ObjectOf(id))
		})
	})
}

// lock is the new lock of the value.
func (a *alone) lock() (analysis.Lock, bool) {
	return a.fn.Program.NewValue(a.fn.File, a.list[a.end], a.stored, "sync.Mutex", "busy", "Busy")
}

func (a *alone) edit() (e mutate.Edit, ok bool) {
	l, ok := a.lock()
	if !ok {
		return e, false
	}
	e = a.fn.NewEdit("askagain", a.list[a.end], slices.Concat(a.asked, a.next.Body)...)
	e.Form, e.Lock, e.Sure = formAlone, &l, true
	e.Vars = nil // it guards none: what is stored has its lock
	e.Flags = append(e.Flags, mutate.Blocks)
	e.Note = "one at a time; others may have done it meanwhile: the question again"
	return e, true
}

func (a *alone) apply(m *mutate.Mutation, e mutate.Edit) error {
	anchor := m.StmtOf(e.File, a.list[a.end])
	if anchor == nil {
		return mutate.Refuse(e, "another edit changed what follows the question")
	}
	take, release := a.next.Methods()
	if a.firstReads() {
		take, release = "RLock", "RUnlock"
	}
	var b strings.Builder
	b.WriteString("// " + e.Note + "\n" + e.Lock.Expr + ".Lock()\ndefer " + e.Lock.Expr + ".Unlock()\n")
	b.WriteString(a.next.Lock.Expr + "." + take + "()\n")
	for _, s := range a.again {
		b.WriteString(a.assigned(s, "") + "\n")
	}
	b.WriteString(a.next.Lock.Expr + "." + release + "()\n")
	last := a.tests[len(a.tests)-1]
	b.WriteString(a.source(last, ""))
	return m.InsertSnippet(e.File, anchor, false, b.String())
}

// firstReads reports whether the first section holds the lock for reading.
func (a *alone) firstReads() bool {
	return slices.ContainsFunc(a.fn.Sections(), func(s *mutate.Section) bool { return s.Acquire == a.list[a.first] && s.Read })
}
