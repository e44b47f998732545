package atomicvar

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/mutate"
)

// An atomic is a variable that can be made one.
type atomic struct {
	v     *types.Var
	file  *analysis.File
	ident *ast.Ident // its declaration
	decl  ast.Node   // *ast.Field, *ast.ValueSpec or *ast.AssignStmt
	list  ast.Node   // what a declaration of several names is part of: *ast.FieldList, *ast.GenDecl
	kind  kind
	named *types.TypeName // the variable's type, if it has a name
	elem  ast.Expr        // what a pointer leads to
	uses  []use
}

// A kind is the atomic counterpart of a type.
type kind struct {
	name   string // of the type in sync/atomic
	plain  string // the variable's type, if its values have to be converted
	param  string // the type to convert to
	signed bool
	number bool
}

// kinds by the variable's type.
var kinds = map[types.BasicKind]kind{
	types.Bool:   {name: "Bool"},
	types.Int:    {name: "Int64", plain: "int", param: "int64", signed: true, number: true},
	types.Int32:  {name: "Int32", signed: true, number: true},
	types.Int64:  {name: "Int64", signed: true, number: true},
	types.Uint:   {name: "Uint64", plain: "uint", param: "uint64", number: true},
	types.Uint32: {name: "Uint32", number: true},
	types.Uint64: {name: "Uint64", number: true},
}

// survey finds how a variable is declared and used; ok is false if it cannot
// be made atomic.
func survey(p *analysis.Program, v *types.Var) (a *atomic, ok bool) {
	a = &atomic{v: v.Origin()}
	t := types.Unalias(a.v.Type())
	if named, is := t.(*types.Named); is {
		if a.named, t = named.Obj(), named.Underlying(); a.named.Pkg() == nil || named.TypeArgs() != nil {
			return nil, false
		}
	}
	switch t := t.(type) {
	case *types.Basic:
		if a.kind, ok = kinds[t.Kind()]; !ok {
			return nil, false
		}
		if a.named != nil {
			if a.kind.param == "" {
				a.kind.param = t.Name()
			}
			a.kind.plain = a.named.Name()
		}
	case *types.Pointer:
		if a.named != nil {
			return nil, false
		}
		a.kind = kind{name: "Pointer"}
	default:
		return nil, false
	}
	if !a.findDeclaration(p) || !a.findUses(p) {
		return nil, false
	}
	return a, true
}

// findDeclaration finds the variable's declaration; it is false for one that
// cannot be changed.
func (a *atomic) findDeclaration(p *analysis.Program) bool {
	pos := p.Fset.PositionFor(a.v.Pos(), false)
	if a.file = p.File(pos.Filename); a.file == nil {
		return false
	}
	path := around(a.file.AST, a.v.Pos())
	if len(path) < 3 {
		return false
	}
	var ok bool
	if a.ident, ok = path[0].(*ast.Ident); !ok {
		return false
	}
	a.decl, a.list = path[1], path[2]
	switch d := path[1].(type) {
	case *ast.Field:
		return len(d.Names) > 0 && a.isField(p, d, path)
	case *ast.ValueSpec:
		if len(d.Values) > 0 && (len(d.Values) != len(d.Names) || !a.zero(a.file, d.Values[slices.Index(d.Names, a.ident)])) {
			return false
		}
		return d.Type == nil && a.kind.name != "Pointer" || a.pointsTo(d.Type)
	case *ast.AssignStmt:
		if d.Tok != token.DEFINE || len(d.Lhs) != len(d.Rhs) || !a.zero(a.file, d.Rhs[slices.Index(d.Lhs, ast.Expr(a.ident))]) || a.kind.name == "Pointer" {
			return false
		}
		for _, l := range d.Lhs { // what is left must define something
			if id, ok := l.(*ast.Ident); !ok || a.file.Package.Info.Defs[id] == nil {
				return false
			}
		}
		switch path[2].(type) {
		case *ast.BlockStmt, *ast.CaseClause:
			return true
		case *ast.CommClause:
			return path[2].(*ast.CommClause).Comm != ast.Stmt(d)
		}
	}
	return false
}

// around are the nodes around a position, inner ones first.
func around(f *ast.File, pos token.Pos) (path []ast.Node) {
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || n.End() <= pos {
			return false
		}
		path = append(path, n)
		return true
	})
	slices.Reverse(path)
	return path
}

// isField reports whether a field is one of a struct type that is not copied, and
// is not there to be encoded.
func (a *atomic) isField(p *analysis.Program, d *ast.Field, path []ast.Node) bool {
	if d.Tag != nil || a.v.Exported() && encodes(a.file.Package) || !a.pointsTo(d.Type) {
		return false
	}
	for i, n := range path {
		if _, ok := n.(*ast.StructType); ok && i+1 < len(path) {
			spec, ok := path[i+1].(*ast.TypeSpec)
			if !ok {
				return false
			}
			t, ok := a.file.Package.Info.Defs[spec.Name].(*types.TypeName)
			return ok && t.Parent() == t.Pkg().Scope() && !p.Copied(t)
		}
	}
	return false // a parameter or result
}

// encodes reports whether a package uses one that looks at exported fields.
func encodes(pkg *analysis.Package) bool {
	for _, imported := range pkg.Types.Imports() {
		if strings.HasPrefix(imported.Path(), "encoding/") {
			return true
		}
	}
	return false
}

// pointsTo notes what a pointer's type as it is written leads to; of other
// types it has nothing to say.
func (a *atomic) pointsTo(typ ast.Expr) bool {
	if a.kind.name != "Pointer" {
		return true
	}
	star, ok := ast.Unparen(typ).(*ast.StarExpr)
	if ok {
		a.elem = star.X
	}
	return ok
}

// zero reports whether a value is what the variable has anyway.
func (a *atomic) zero(f *analysis.File, e ast.Expr) bool {
	tv := f.Package.Info.Types[e]
	switch {
	case tv.Value == nil:
		return tv.IsNil()
	case tv.Value.Kind() == constant.Bool:
		return !constant.BoolVal(tv.Value)
	}
	return tv.Value.Kind() == constant.Int && constant.Sign(tv.Value) == 0
}

// plainIn is the variable's type as a file writes it; "" if it cannot.
func (a *atomic) plainIn(f *analysis.File) string {
	if a.named == nil || a.named.Pkg() == f.Package.Types {
		return a.kind.plain
	}
	for _, spec := range f.AST.Imports {
		name := f.Package.Info.PkgNameOf(spec)
		if name == nil || name.Imported() != a.named.Pkg() {
			continue
		}
		switch name.Name() {
		case "_":
		case ".":
			return a.kind.plain
		default:
			return name.Name() + "." + a.kind.plain
		}
	}
	return ""
}

func line(w *mutate.Whole, pos token.Pos) int { return w.Program.Fset.PositionFor(pos, false).Line }
