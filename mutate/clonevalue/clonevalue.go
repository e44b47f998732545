package clonevalue

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/outward"
)

//go:embed doc.go
var doc string

// Operator gives away copies of values that their owner goes on changing.
var Operator = &mutate.Operator{
	Name: "clonevalue",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 4, evidence.Panic: 2, evidence.TestFailure: 2,
		evidence.Deadlock: 0.1, evidence.Blocked: 0.1, evidence.Timeout: 0.1,
	},
	Faults: []evidence.Fault{evidence.HandedOut},
	Needs:  "value that is given away by a pointer while its owner goes on changing it",
	Edits:  edits,
	Apply:  apply,
}

// Forms of an edit.
const (
	inPlace = "place"  // the pointer that is given away becomes a call
	behind  = "behind" // the copy takes the variable's place behind the statement that has read it
	listed  = "list"   // a list or map of pointers, all of which are copied
	called  = "call"   // what a helper returns, beside other results
	taken   = "taken"  // a pointer that the owner keeps, and was given by a caller
	deeper  = "deeper" // a copy that a method makes of its receiver, the slices and maps of which it shares
)

// nearby is what an edit has of the heat of the places that use fields of the value, unless the value was
// given away there. Guessed.
const nearby = 0.9

// sure is the belief in an edit of values that somebody uses, where the failure is, who was given them: more
// locks in the owner do not help there. Guessed.
const sure = 2

func edits(fn *mutate.Function) (all []mutate.Edit) {
	if fn.File.Test || !outward.Results(fn) && !copies(fn) {
		return nil
	}
	for _, h := range handouts(fn) {
		v := valueOf(fn, h.named, h.plain)
		if v == nil || h.form == called && v.exists {
			continue
		}
		e := fn.NewEdit("clonevalue", h.expr, h.stmt)
		e.Form, e.Other, e.Expr = inPlace, fn.ID(h.stmt), types.ExprString(h.expr)+"."+v.method+"()"
		e.Note, e.Group, e.Sure = types.ExprString(h.expr)+" goes on changing", "value "+v.name, true
		if h.form == deeper {
			e.Expr = ""
		}
		switch held := copies(fn) || len(fn.HeldAt(h.stmt)) > 0; { // who asks for a copy holds the lock
		case h.form == taken || h.form == deeper || h.form != "" && held:
			e.Form = h.form
		case h.form != "":
			continue
		case !held:
			at := settled(fn, h)
			if at == nil || writesThrough(fn, h.expr) {
				continue
			}
			e.Form, e.Other = behind, fn.ID(at)
		}
		e.Vars = append(e.Vars, v.changed...)
		e.Heat = max(e.Heat, v.heat)
		if v.met {
			e.Belief, e.Reach = sure, 0
		}
		all = append(all, e)
	}
	return all
}

// A handout is a pointer to an owner's value that a function gives away, or a plain copy of it.
type handout struct {
	expr  ast.Expr
	named *types.Named // the value's type
	plain bool         // it is no pointer, but a copy that shares slices and maps
	stmt  ast.Stmt     // that gives it away
	read  ast.Stmt     // that has read it into a variable; nil: stmt itself reads it
	form  string       // "" for a pointer in a variable, field or element
	name  string       // of the variable for a copied list; "": any
}

// handouts lists what a function gives away: in returns, and in elements of what it may return.
func handouts(fn *mutate.Function) (all []handout) {
	info := fn.File.Package.Info
	for _, st := range fn.Statements() {
		var given []ast.Expr
		switch s := st.Stmt.(type) {
		case *ast.ReturnStmt:
			given = s.Results
			all = append(all, several(fn, s)...)
			all = append(all, inLiterals(fn, s, s.Results)...)
		case *ast.AssignStmt:
			all = append(all, inLiterals(fn, s, s.Rhs)...)
			for i, rhs := range s.Rhs {
				if call, ok := ast.Unparen(rhs).(*ast.CallExpr); ok && syntax.Builtin(info, call) == "append" && !call.Ellipsis.IsValid() && filled(fn, call.Args[0]) {
					given = append(given, call.Args[1:]...)
				} else if to := ast.Unparen(s.Lhs[min(i, len(s.Lhs)-1)]); inResult(fn, to) {
					given = append(given, rhs)
				} else if ix, ok := to.(*ast.IndexExpr); ok && filled(fn, ix.X) {
					given = append(given, rhs)
				}
			}
		}
		for _, e := range given {
			if _, isReturn := st.Stmt.(*ast.ReturnStmt); !isReturn {
				all = append(all, list(fn, st.Stmt, e)...)
			}
			if star, ok := ast.Unparen(e).(*ast.StarExpr); ok { // a copy that shares slices and maps
				if e = ast.Unparen(star.X); !syntax.Shares(info.TypeOf(star)) {
					continue
				}
			}
			named, plain := structIn(info.TypeOf(e))
			if !own(fn, named) || plain && writesThrough(fn, e) {
				continue
			}
			if owned(fn, e) {
				all = append(all, handout{expr: e, named: named, plain: plain, stmt: st.Stmt})
			} else if id, ok := ast.Unparen(e).(*ast.Ident); ok {
				if read := readBy(fn, id); read != nil {
					all = append(all, handout{expr: e, named: named, plain: plain, stmt: st.Stmt, read: read})
				}
			}
		}
	}
	if copies(fn) {
		all = append(all, shallowCopies(fn)...)
	}
	return append(all, takenIn(fn)...)
}

// copies reports whether a function is a method that makes a value of its receiver's type: what it puts into that is given
// away by others.
func copies(fn *mutate.Function) bool {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || decl.Type.Results == nil || len(decl.Type.Results.List) == 0 {
		return false
	}
	info := fn.File.Package.Info
	own, _ := structIn(info.TypeOf(decl.Recv.List[0].Type))
	made := info.TypeOf(decl.Type.Results.List[0].Type)
	return own != nil && (pointee(made) == own || structOf(made) == own)
}

// filled reports whether an expression is a list or map that the function makes: a local variable, or a field of what it
// returns.
func filled(fn *mutate.Function, e ast.Expr) bool { return local(fn, e) || inResult(fn, e) }

// inResult reports whether an expression is a field of a value that the function has made, and returns.
func inResult(fn *mutate.Function, e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || !local(fn, sel.X) {
		return false
	}
	root := fn.Path(sel).Root
	if _, value := root.Type().Underlying().(*types.Struct); !value && !fn.Fresh(sel) {
		return false
	}
	return returned(fn, sel.X)
}

// returned reports whether a function returns a variable, or a pointer to it.
func returned(fn *mutate.Function, v ast.Expr) bool {
	root := fn.Path(v).Root
	return slices.ContainsFunc(fn.Statements(), func(st mutate.Statement) bool {
		ret, ok := st.Stmt.(*ast.ReturnStmt)
		return ok && slices.ContainsFunc(ret.Results, func(e ast.Expr) bool { p := fn.Path(e); return p.Root == root && p.Rest == "" })
	})
}

// pointee is the struct type that a pointer type leads to, if that has a name and no parameters; else nil.
func pointee(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return nil
	}
	return structOf(p.Elem())
}

// structOf is a type that is a struct with a name and no parameters; else nil.
func structOf(t types.Type) *types.Named {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		return nil
	}
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return nil
	}
	return named
}

// structIn is the struct type that a pointer type leads to, or that a type is itself, if plain copies of it share
// slices and maps; nil: there is none.
func structIn(t types.Type) (named *types.Named, plain bool) {
	if named = pointee(t); named == nil && syntax.Shares(t) {
		return structOf(t), true
	}
	return named, false
}

// local says whether an expression is a variable of the function, not a parameter.
func local(fn *mutate.Function, e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := fn.File.Package.Info.ObjectOf(id).(*types.Var)
	return ok && !v.IsField() && v.Parent() != v.Pkg().Scope() && v.Kind() != types.ParamVar && v.Kind() != types.RecvVar
}

// owned says whether an expression is a field, or an element of a field, of the receiver or of a variable of
// the package.
func owned(fn *mutate.Function, e ast.Expr) bool {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok {
		return ofHelper(fn, call)
	}
	for fn.Path(e).Root == nil { // c.nodes[id].checks
		switch x := e.(type) {
		case *ast.IndexExpr:
			e = ast.Unparen(x.X)
		case *ast.SelectorExpr:
			e = ast.Unparen(x.X)
		default:
			return false
		}
	}
	p := fn.Path(e)
	v, ok := p.Root.(*types.Var)
	if !ok {
		return false
	}
	return v.Kind() == types.RecvVar && p.Rest != "" || v.Parent() == v.Pkg().Scope()
}

// readBy is a statement that reads an owner's value into a variable, or into another one that is assigned to
// it; nil: there is none.
func readBy(fn *mutate.Function, id *ast.Ident) (read ast.Stmt) {
	info := fn.File.Package.Info
	seen := map[types.Object]bool{}
	var find func(v types.Object) ast.Stmt
	find = func(v types.Object) (found ast.Stmt) {
		if v == nil || seen[v] {
			return nil
		}
		seen[v] = true
		for _, st := range fn.Statements() {
			at := st.Stmt
			if cond, ok := at.(*ast.IfStmt); ok && cond.Init != nil {
				at = cond.Init
			}
			switch s := at.(type) {
			case *ast.RangeStmt:
				if val, ok := s.Value.(*ast.Ident); ok && info.ObjectOf(val) == v && owned(fn, s.X) {
					return s
				}
			case *ast.AssignStmt:
				for i, lhs := range s.Lhs {
					to, ok := lhs.(*ast.Ident)
					if !ok || info.ObjectOf(to) != v || i >= len(s.Rhs) && i > 0 {
						continue
					}
					if owned(fn, s.Rhs[i]) {
						return st.Stmt
					}
					if from, ok := ast.Unparen(s.Rhs[i]).(*ast.Ident); ok && found == nil {
						found = find(info.ObjectOf(from))
					}
				}
			}
		}
		return found
	}
	return find(info.ObjectOf(id))
}

// settled is the statement of the function's own list behind which the variable that is given away has its
// value and a lock is held; nil: there is none.
func settled(fn *mutate.Function, h handout) (at ast.Stmt) {
	if h.read == nil {
		return nil
	}
	root := fn.Path(h.expr).Root
	for i, s := range fn.Body.List[:max(0, len(fn.Body.List)-1)] {
		assigns := syntax.Any(s, func(n ast.Node) bool {
			st, ok := n.(ast.Stmt)
			return ok && slices.ContainsFunc(syntax.Assigned(st), func(lhs ast.Expr) bool { p := fn.Path(lhs); return p.Root == root && p.Rest == "" })
		})
		if !assigns {
			continue
		}
		if at = nil; len(fn.HeldAt(fn.Body.List[i+1])) > 0 {
			at = s
		}
	}
	return at
}

// writesThrough says whether a function changes the value that a variable leads to.
func writesThrough(fn *mutate.Function, e ast.Expr) bool {
	root := fn.Path(e).Root
	return slices.ContainsFunc(fn.Statements(), func(st mutate.Statement) bool {
		return slices.ContainsFunc(syntax.Assigned(st.Stmt), func(lhs ast.Expr) bool {
			p := fn.Path(lhs)
			return p.Root == root && p.Rest != ""
		})
	})
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no such value")
	}
	for _, h := range handouts(fn) {
		if fn.ID(h.expr) != e.Node {
			continue
		}
		v := valueOf(fn, h.named, h.plain)
		if v == nil {
			break
		}
		if h.form == deeper {
			return h.deepen(m, e, fn, v)
		}
		if err := v.declare(m, e, fn); err != nil {
			return err
		}
		if h.form != "" {
			return h.apply(m, e, fn, v)
		}
		if e.Form == behind {
			return m.InsertSnippet(e.File, m.Stmt(e.File, e.Other), true, types.ExprString(h.expr)+" = "+e.Expr)
		}
		old, ok := m.Of(e.File, h.expr).(dst.Expr)
		if !ok {
			return mutate.Refuse(e, "another edit removed the value")
		}
		call := &dst.CallExpr{Fun: &dst.SelectorExpr{X: dst.Clone(old).(dst.Expr), Sel: dst.NewIdent(v.method)}}
		return m.Replace(e.File, old, call)
	}
	return mutate.Refuse(e, "the value is not given away here")
}
