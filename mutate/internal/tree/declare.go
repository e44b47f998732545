package tree

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A Declaration is a lock, or what is declared instead, that edits have
// declared, and what it guards.
type Declaration struct {
	Lock   analysis.Lock
	decs   *dst.NodeDecs
	guards []string
	field  *fieldPlace // nil: it is a variable
	plain  bool        // needs no comment: the sync.Once that closes a channel
}

// Guard adds variables to the comment behind the declaration.
func (d *Declaration) Guard(names ...string) {
	for _, name := range names {
		if !slices.Contains(d.guards, name) {
			d.guards = append(d.guards, name)
		}
	}
	slices.Sort(d.guards)
	if d.field != nil {
		d.field.guard(d.guards)
	}
	if verb := purpose(d.Lock.New.Type); verb != "" && !d.plain {
		comment := "// " + verb + " " + syntax.Enumerate(d.guards)
		d.decs.End = append(dst.Decorations{comment}, d.decs.End[min(1, len(d.decs.End)):]...)
	}
}

// A Place is where something is declared: beside a variable or a type of the original.
type Place struct {
	path []ast.Node // from the name on, innermost first
	name *ast.Ident
}

// Beside finds the place of a new lock.
func (f *Edited) Beside(l *analysis.NewLock) (*Place, error) {
	path := f.Original.pathAt(l.Offset)
	id, ok := path[0].(*ast.Ident)
	if !ok {
		return nil, fmt.Errorf("%s has no variable at offset %d to declare %s beside", l.File, l.Offset, l.Name)
	}
	return &Place{path, id}, nil
}

// Guards are those of some variables, named as the narrowing does, that the comment behind a
// declaration says it guards: the variable it is put beside with those that are declared
// in the same struct, function or package; beside a type, the fields concerned.
func (p *Place) Guards(vars []string) []string { return guardedNames(p.path, p.name.Name, vars) }

// Declare declares a new lock, or what it has instead, in a place, and imports its package. A new
// channel that is a variable is made, too.
func (f *Edited) Declare(l *analysis.Lock, at *Place) (*Declaration, error) {
	var d *Declaration
	switch l.New.Kind {
	case analysis.FieldLock:
		d = f.declareField(at.path, l)
	case analysis.PackageLock:
		d = f.declarePackageVar(at.path, l)
	case analysis.LocalLock:
		d = f.declareLocal(at.path, l)
	}
	if d == nil {
		return nil, fmt.Errorf("%s cannot be declared as a %s beside %s in %s", l.New.Name, l.New.Kind, at.name.Name, l.New.File)
	}
	d.Lock = *l
	if t := f.Original.File.Package.Info.TypeOf(at.name); t != nil && l.New.Type == "sync.Once" {
		_, d.plain = t.Underlying().(*types.Chan)
	}
	return d, nil
}

// purpose is what the comment says that a declaration of a type does to the
// variables beside it; "" where its name and type say all.
func purpose(typ string) string {
	switch typ {
	case "":
		return "guards"
	case "sync.Once":
		return "sets"
	}
	return ""
}

// guardedNames is [Place.Guards] for a path and the name at its head.
func guardedNames(path []ast.Node, name string, vars []string) []string {
	if len(path) > 1 {
		if _, ok := path[1].(*ast.TypeSpec); ok {
			if fields := withPrefix(name+".", vars); len(fields) > 0 {
				return fields
			}
			return []string{name}
		}
	}
	if fields := ofFunction(path, vars); len(fields) > 0 {
		return fields
	}
	names := []string{name}
	add := func(prefix string) {
		for _, beside := range withPrefix(prefix, vars) {
			if own := strings.TrimPrefix(beside, prefix); !strings.Contains(own, ".") && !slices.Contains(names, own) {
				names = append(names, own)
			}
		}
	}
	if i := slices.IndexFunc(path, func(n ast.Node) bool { _, ok := n.(*ast.TypeSpec); return ok }); i >= 0 {
		add(path[i].(*ast.TypeSpec).Name.Name + ".")
	}
	for _, v := range vars {
		prefix, ok := strings.CutSuffix(v, name)
		if !ok || prefix != "" && !strings.HasSuffix(prefix, ".") {
			continue
		}
		add(prefix)
		break
	}
	return names
}

// ofFunction are the names of those variables that are the local ones of the function around.
func ofFunction(path []ast.Node, vars []string) (names []string) {
	for _, n := range path {
		if decl, ok := n.(*ast.FuncDecl); ok {
			prefix := analysis.FuncName(decl) + "."
			for _, v := range withPrefix(prefix, vars) {
				if own := strings.TrimPrefix(v, prefix); !strings.Contains(own, ".") {
					names = append(names, own)
				}
			}
		}
	}
	return names
}

func withPrefix(prefix string, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.HasPrefix(n, prefix) })
}

// newType is the type of what is declared as the file can write it.
func (f *Edited) newType(l *analysis.Lock) dst.Expr {
	typ := l.New.Type
	if typ == "" {
		typ = "sync.Mutex"
		if l.RW {
			typ = "sync.RWMutex"
		}
	}
	return f.qualified(Expr(typ))
}

// packages are those that the types of declarations may come from, by name.
var packages = map[string]string{
	"sync": "sync", "atomic": "sync/atomic", "context": "context", "time": "time",
}

// qualified imports the packages that an expression names by their standard
// names and puts the names that the file has for them in their place.
func (f *Edited) qualified(e dst.Expr) dst.Expr {
	return dstutil.Apply(e, nil, func(c *dstutil.Cursor) bool {
		sel, ok := c.Node().(*dst.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := sel.X.(*dst.Ident)
		if !ok || packages[id.Name] == "" {
			return true
		}
		if name := f.Import(packages[id.Name]); name != "" {
			id.Name = name
		} else {
			c.Replace(sel.Sel)
		}
		return true
	}).(dst.Expr)
}

// newSpec declares a lock, or what its type says instead. A channel is made.
func (f *Edited) newSpec(l *analysis.Lock) *dst.ValueSpec {
	spec := &dst.ValueSpec{Names: []*dst.Ident{dst.NewIdent(l.New.Name)}}
	typ := f.newType(l)
	if _, channel := typ.(*dst.ChanType); channel {
		spec.Values = []dst.Expr{&dst.CallExpr{Fun: dst.NewIdent("make"), Args: []dst.Expr{typ}}}
	} else {
		spec.Type = typ
	}
	return spec
}

// declareField puts a field into the struct of the field at the head of path.
func (f *Edited) declareField(path []ast.Node, l *analysis.Lock) *Declaration {
	typ := f.newType(l)
	if _, channel := typ.(*dst.ChanType); channel {
		return nil // nobody would make it
	}
	var guarded *dst.Field
	for _, n := range path {
		switch n := n.(type) {
		case *ast.Field:
			if guarded == nil {
				guarded, _ = f.node(f.Original.known(n)).(*dst.Field)
			}
		case *ast.StructType:
			s, ok := f.node(f.Original.known(n)).(*dst.StructType)
			if !ok || guarded == nil || !slices.Contains(s.Fields.List, guarded) {
				continue
			}
			field := &dst.Field{Names: []*dst.Ident{dst.NewIdent(l.New.Name)}, Type: typ}
			return &Declaration{decs: &field.Decs.NodeDecs, field: &fieldPlace{list: s.Fields, field: field, above: guarded}}
		case *ast.FuncType, *ast.InterfaceType:
			return nil
		}
	}
	return nil
}

// declarePackageVar puts a variable above the package variable or type at the
// head of path, inside its group when it is in a group of variables.
func (f *Edited) declarePackageVar(path []ast.Node, l *analysis.Lock) *Declaration {
	var spec dst.Spec
	for _, n := range path {
		switch n := n.(type) {
		case *ast.ValueSpec, *ast.TypeSpec:
			spec, _ = f.node(f.Original.known(n)).(dst.Spec)
		case *ast.GenDecl:
			decl, ok := f.node(f.Original.known(n)).(*dst.GenDecl)
			if !ok || spec == nil {
				return nil
			}
			return f.insertVar(decl, spec, l)
		}
	}
	return nil
}

func (f *Edited) insertVar(decl *dst.GenDecl, beside dst.Spec, l *analysis.Lock) *Declaration {
	at := slices.Index(f.root.Decls, dst.Decl(decl))
	if at < 0 {
		return nil // it is a local variable's
	}
	spec := f.newSpec(l)
	at = slices.Index(f.root.Decls, dst.Decl(decl)) // an import may have been added above
	if decl.Lparen && decl.Tok == token.VAR {
		i := slices.Index(decl.Specs, dst.Spec(beside))
		if i < 0 {
			return nil
		}
		below := beside.Decorations()
		spec.Decs.Before = max(below.Before, dst.NewLine)
		spec.Decs.After, below.Before = dst.NewLine, dst.NewLine
		decl.Specs = slices.Insert(decl.Specs, i, dst.Spec(spec))
		return &Declaration{decs: &spec.Decs.NodeDecs}
	}
	own := &dst.GenDecl{Tok: token.VAR, Specs: []dst.Spec{spec}}
	own.Decs.Before, own.Decs.After = dst.EmptyLine, dst.NewLine
	if cut := lastBreak(decl.Decs.Start); cut > 0 {
		own.Decs.Start = slices.Clone(decl.Decs.Start[:cut])
		decl.Decs.Start = slices.Clone(decl.Decs.Start[cut:])
	}
	decl.Decs.Before = dst.NewLine
	if len(decl.Decs.Start) > 0 || len(decl.Decs.End) > 0 || len(beside.Decorations().End) > 0 || decl.Tok != token.VAR {
		decl.Decs.Before = dst.EmptyLine // comments above are its own, and those behind would be aligned
	}
	f.root.Decls = slices.Insert(f.root.Decls, at, dst.Decl(own))
	return &Declaration{decs: &spec.Decs.NodeDecs}
}

// declareLocal puts a variable above the statement that declares the local
// variable at the head of path, or first in the body of the function whose
// parameter or result it is.
func (f *Edited) declareLocal(path []ast.Node, l *analysis.Lock) *Declaration {
	stmt, decs := localDeclaration(f.newSpec(l))
	d := &Declaration{decs: decs}
	signature := false
	for _, n := range path {
		switch n := n.(type) {
		case *ast.FuncType, *ast.FieldList:
			signature = true
		case *ast.FuncLit, *ast.FuncDecl:
			body := f.body(n)
			if !signature || body == nil {
				return nil
			}
			if len(body.List) == 0 {
				stmt.Decorations().Before, stmt.Decorations().After = dst.NewLine, dst.NewLine
				body.List = []dst.Stmt{stmt}
				return d
			}
			if f.Insert(body.List[0], false, stmt) != nil {
				return nil
			}
			return d
		case ast.Stmt:
			at, ok := f.node(f.Original.known(n)).(dst.Stmt)
			if !ok || signature {
				continue
			}
			if list, _, _ := f.listOf(at); list != nil && !isClause(at) {
				if f.Insert(at, false, stmt) != nil {
					return nil
				}
				return d
			}
		}
	}
	return nil
}

// localDeclaration declares a variable in a function, and says where a comment
// behind it goes.
func localDeclaration(spec *dst.ValueSpec) (dst.Stmt, *dst.NodeDecs) {
	if len(spec.Values) > 0 {
		s := &dst.AssignStmt{Lhs: []dst.Expr{spec.Names[0]}, Tok: token.DEFINE, Rhs: spec.Values}
		return s, &s.Decs.NodeDecs
	}
	decl := &dst.GenDecl{Tok: token.VAR, Specs: []dst.Spec{spec}}
	return &dst.DeclStmt{Decl: decl}, &spec.Decs.NodeDecs
}

func isClause(s dst.Stmt) bool {
	switch s.(type) {
	case *dst.CaseClause, *dst.CommClause:
		return true
	}
	return false
}

// body is the body of a function of the original in the tree being edited.
func (f *Edited) body(fn ast.Node) *dst.BlockStmt { return bodyOf(f.node(f.Original.known(fn))) }

func bodyOf(fn dst.Node) *dst.BlockStmt {
	switch fn := fn.(type) {
	case *dst.FuncDecl:
		return fn.Body
	case *dst.FuncLit:
		return fn.Body
	}
	return nil
}
