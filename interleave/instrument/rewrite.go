package instrument

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis"
	"mendel/internal/rewrite"
)

// A rewriter puts hooks into one file.
type rewriter struct {
	*rewrite.File
	file     *analysis.File
	info     *types.Info
	name     string // of the import
	shared   func(*types.Var) bool
	result   *Result
	function string            // declared around what is rewritten
	later    map[ast.Node]bool // calls that a go or defer statement makes later
	label    token.Pos         // of the label before a statement, with labelled its end
	labelled ast.Stmt
}

// rewrite returns the file with hooks; nil if it needs none.
func (r *rewriter) rewrite() []byte {
	r.later = map[ast.Node]bool{}
	for _, d := range r.file.AST.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil && !analysis.Restricted(d.Doc) && !analysis.Excluded(d.Doc) {
				r.function = analysis.FuncName(d)
				r.walk(d.Body)
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				r.function = ""
				r.walk(d)
			}
		}
	}
	if r.Len() == 0 {
		return nil
	}
	r.Import(r.name, rewrite.RecordPath)
	text := r.Apply()
	if rewrite.IsOld(r.info, r.file.AST) {
		text = []byte(rewrite.Raise(r.file, string(text)))
	}
	return text
}

// walk rewrites what is below a node, and the node itself.
func (r *rewriter) walk(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			if tv, typed := r.info.Types[e]; typed && tv.IsType() {
				return false
			}
			return !r.expression(e)
		}
		return !r.statement(n)
	})
}

// all walks a list.
func all[N ast.Node](r *rewriter, list []N) {
	for _, n := range list {
		r.walk(n)
	}
}

// statement rewrites a statement, if it is one that needs more than its parts. It
// reports whether it has done so.
func (r *rewriter) statement(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.LabeledStmt:
		r.label, r.labelled = n.Pos(), n.Stmt
		r.walk(n.Stmt)
	case *ast.AssignStmt:
		r.assign(n)
	case *ast.IncDecStmt:
		r.compound(n.X, n.TokPos, n.Tok.String()[:1], nil)
	case *ast.SendStmt:
		r.Around(n.Pos(), n.End(), r.call("To", r.site(n, "send", n.Chan)), ")")
		r.walk(n.Chan)
		r.Put(n.Chan.End(), n.Arrow+2, ").V(")
		r.walk(n.Value)
	case *ast.SelectStmt:
		r.selects(n)
	case *ast.RangeStmt:
		r.ranges(n)
	case *ast.GoStmt:
		r.starts(n)
	case *ast.DeferStmt:
		r.later[n.Call] = true
		r.walk(n.Call)
	case *ast.TypeSpec:
	case *ast.ValueSpec:
		all(r, n.Values)
	case *ast.BranchStmt:
	default:
		return false
	}
	return true
}

// expression does the same for an expression.
func (r *rewriter) expression(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		r.read(e)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			r.operand(e.X)
		case token.ARROW:
			r.receive(e, "From")
		default:
			return false
		}
	case *ast.CompositeLit:
		_, isStruct := under(r.info.TypeOf(e)).(*types.Struct)
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok && isStruct {
				elt = kv.Value
			}
			r.walk(elt)
		}
	case *ast.CallExpr:
		r.calls(e)
	case *ast.FuncLit:
		r.walk(e.Body)
	case *ast.SliceExpr:
		if _, array := under(r.info.TypeOf(e.X)).(*types.Array); array {
			r.operand(e.X)
		} else {
			r.walk(e.X)
		}
		for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
			if i != nil {
				r.walk(i)
			}
		}
	default:
		return false
	}
	return true
}

// under is the underlying type, of a pointer that to which it points.
func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		return p.Elem().Underlying()
	}
	return u
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// root is the variable that an expression denotes or belongs to; nil if there is none.
func (r *rewriter) root(e ast.Expr) *types.Var {
	switch e := e.(type) {
	case *ast.Ident:
		v, _ := r.info.ObjectOf(e).(*types.Var)
		return v
	case *ast.SelectorExpr:
		v, _ := r.info.Uses[e.Sel].(*types.Var)
		return v
	case *ast.IndexExpr:
		return r.root(e.X)
	case *ast.StarExpr:
		return r.root(e.X)
	case *ast.ParenExpr:
		return r.root(e.X)
	}
	return nil
}

// isShared reports whether an expression denotes a location that goroutines share.
func (r *rewriter) isShared(e ast.Expr) bool {
	v := r.root(e)
	return v != nil && v.Name() != "_" && r.shared(v)
}

// isLocation reports whether an expression is one of which the address can be taken.
func (r *rewriter) isLocation(e ast.Expr) bool { return r.info.Types[e].Addressable() }

// mapOf returns the map of which an expression is an element; nil if it is none.
func (r *rewriter) mapOf(e ast.Expr) *ast.IndexExpr {
	if i, ok := ast.Unparen(e).(*ast.IndexExpr); ok && isMap(r.info.TypeOf(i.X)) {
		return i
	}
	return nil
}

// read rewrites an expression whose value is used.
func (r *rewriter) read(e ast.Expr) {
	if r.mapOf(e) != nil || !r.isLocation(e) || !r.isShared(e) {
		r.operand(e)
		return
	}
	r.Around(e.Pos(), e.End(), "(*"+r.call("R", r.site(e, "read", e))+"&", "))")
	r.operand(e)
}

// operand rewrites the parts of an expression that is not itself read: its address
// is taken, it is assigned to, or a part of it is used.
func (r *rewriter) operand(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
	case *ast.SelectorExpr:
		if r.info.Selections[e] != nil {
			r.base(e.X)
		}
	case *ast.IndexExpr:
		switch r.info.TypeOf(e.X).Underlying().(type) {
		case *types.Map:
			r.around(e.X, "MapR", "read")
			r.walk(e.Index)
		case *types.Array:
			r.operand(e.X)
			r.walk(e.Index)
		case *types.Signature: // a generic function with its type arguments
		default:
			r.walk(e.X)
			r.walk(e.Index)
		}
	case *ast.StarExpr:
		r.walk(e.X)
	case *ast.ParenExpr:
		r.operand(e.X)
	default:
		r.walk(e)
	}
}

// base rewrites what a field or method is selected from: a pointer is read.
func (r *rewriter) base(e ast.Expr) {
	if isPointer(r.info.TypeOf(e)) {
		r.walk(e)
		return
	}
	r.operand(e)
}

// around puts the hook of a map around it, if it is shared.
func (r *rewriter) around(m ast.Expr, function, operation string) {
	if !r.isShared(m) {
		r.walk(m)
		return
	}
	r.Around(m.Pos(), m.End(), r.call(function, r.site(m, operation, m)), ")")
	r.walk(m)
}
