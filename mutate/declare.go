package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
	"golang.org/x/tools/go/ast/astutil"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A declaration is a lock, or what is declared instead, that a mutation has
// declared, and what it guards.
type declaration struct {
	lock   analysis.Lock
	decs   *dst.NodeDecs
	guards []string
	field  *fieldPlace // nil: it is a variable
	plain  bool        // needs no comment: the sync.Once that closes a channel
}

// guard adds variables to the comment behind the declaration.
func (d *declaration) guard(names ...string) {
	for _, name := range names {
		if !slices.Contains(d.guards, name) {
			d.guards = append(d.guards, name)
		}
	}
	slices.Sort(d.guards)
	if d.field != nil {
		d.field.guard(d.guards)
	}
	if verb := purpose(d.lock.New.Type); verb != "" && !d.plain {
		comment := "// " + verb + " " + syntax.Enumerate(d.guards)
		d.decs.End = append(dst.Decorations{comment}, d.decs.End[min(1, len(d.decs.End)):]...)
	}
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

// Declare makes sure that an edit's new lock, or what its [analysis.NewLock]
// has instead of one, exists and that its package is imported; without a new
// lock it does nothing. A new channel that is a variable is made, too. Edits that name the same new
// lock share it. Space.Mutant calls it for each edit before it applies the first.
func (m *Mutation) Declare(e Edit) error {
	if e.Lock == nil || e.Lock.New == nil {
		return nil
	}
	nl := e.Lock.New
	f, err := m.file(nl.File)
	if err != nil {
		return Refuse(e, "%v", err)
	}
	path := f.tree.pathAt(m.space.program, nl.Offset)
	id, ok := path[0].(*ast.Ident)
	if !ok {
		return Refuse(e, "%s has no variable at offset %d to declare %s beside", nl.File, nl.Offset, nl.Name)
	}
	guarded := guardedNames(path, id.Name, e.Vars)
	if d := m.declared[e.Lock.Key]; d != nil {
		d.guard(guarded...)
		return nil
	}
	if other := m.shadows(e.Lock); other != "" {
		return Refuse(e, "the new lock %s would hide or be hidden by the new lock %s", e.Lock.Key, other)
	}
	var d *declaration
	switch nl.Kind {
	case analysis.FieldLock:
		d = f.declareField(path, e.Lock)
	case analysis.PackageLock:
		d = f.declarePackageVar(path, e.Lock)
	case analysis.LocalLock:
		d = m.declareLocal(f, path, e.Lock)
	}
	if d == nil {
		return Refuse(e, "%s cannot be declared as a %s beside %s in %s", nl.Name, nl.Kind, id.Name, nl.File)
	}
	d.lock = *e.Lock
	if t := f.tree.file.Package.Info.TypeOf(id); t != nil && nl.Type == "sync.Once" {
		_, d.plain = t.Underlying().(*types.Chan)
	}
	d.guard(guarded...)
	m.declared[e.Lock.Key] = d
	return nil
}

// Declares reports whether an edit's new lock can be declared, for an edit by itself.
func (fn *Function) Declares(e Edit) bool {
	if e.Lock == nil || e.Lock.New == nil {
		return true
	}
	type declares struct {
		key, expr string
		analysis.NewLock
	}
	return Once(fn, declares{e.Lock.Key, e.Lock.Expr, *e.Lock.New}, func() bool { return newSketchMutation(fn.space).Declare(e) == nil })
}

// guardedNames are the names for the comment behind a declaration: the
// variable it is put beside with those of the edit's variables that are declared
// in the same struct, function or package; beside a type, the fields concerned.
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

// shadows finds a new lock declared already that has the name of another one
// and may be in scope where it is; names in structs do not matter.
func (m *Mutation) shadows(l *analysis.Lock) string {
	if l.New.Kind == analysis.FieldLock {
		return ""
	}
	for _, key := range slices.Sorted(maps.Keys(m.declared)) {
		other := m.declared[key].lock
		if other.New.Kind == analysis.FieldLock || other.New.Name != l.New.Name {
			continue
		}
		local := other.New.Kind == analysis.LocalLock && l.New.Kind == analysis.LocalLock
		if !local || localFunc(key) == localFunc(l.Key) {
			return key
		}
	}
	return ""
}

// localFunc is the key of a local lock without the variable's line and column:
// package, function and name.
func localFunc(key string) string {
	if i := strings.LastIndex(key, "@"); i >= 0 {
		return key[:i]
	}
	return key
}

// pathAt lists the nodes around an offset of the original, innermost first.
func (ids *nodeIDs) pathAt(p *analysis.Program, offset int) []ast.Node {
	tf := p.Fset.File(ids.file.AST.FileStart)
	if tf == nil || offset < 0 || offset >= tf.Size() {
		return []ast.Node{ids.file.AST}
	}
	pos := tf.Pos(offset)
	path, _ := astutil.PathEnclosingInterval(ids.file.AST, pos, pos+1)
	return path
}

// newType is the type of what is declared as the file can write it.
func (f *editedFile) newType(l *analysis.Lock) dst.Expr {
	typ := l.New.Type
	if typ == "" {
		typ = "sync.Mutex"
		if l.RW {
			typ = "sync.RWMutex"
		}
	}
	return f.qualified(parseExpr(typ))
}

// packages are those that the types of declarations may come from, by name.
var packages = map[string]string{
	"sync": "sync", "atomic": "sync/atomic", "context": "context", "time": "time",
}

// qualified imports the packages that an expression names by their standard
// names and puts the names that the file has for them in their place.
func (f *editedFile) qualified(e dst.Expr) dst.Expr {
	return dstutil.Apply(e, nil, func(c *dstutil.Cursor) bool {
		sel, ok := c.Node().(*dst.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := sel.X.(*dst.Ident)
		if !ok || packages[id.Name] == "" {
			return true
		}
		if name := f.importName(packages[id.Name]); name != "" {
			id.Name = name
		} else {
			c.Replace(sel.Sel)
		}
		return true
	}).(dst.Expr)
}

// newSpec declares a lock, or what its type says instead. A channel is made.
func (f *editedFile) newSpec(l *analysis.Lock) *dst.ValueSpec {
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
func (f *editedFile) declareField(path []ast.Node, l *analysis.Lock) *declaration {
	typ := f.newType(l)
	if _, channel := typ.(*dst.ChanType); channel {
		return nil // nobody would make it
	}
	var guarded *dst.Field
	for _, n := range path {
		switch n := n.(type) {
		case *ast.Field:
			if guarded == nil {
				guarded, _ = f.node(f.tree.known(n)).(*dst.Field)
			}
		case *ast.StructType:
			s, ok := f.node(f.tree.known(n)).(*dst.StructType)
			if !ok || guarded == nil || !slices.Contains(s.Fields.List, guarded) {
				continue
			}
			field := &dst.Field{Names: []*dst.Ident{dst.NewIdent(l.New.Name)}, Type: typ}
			return &declaration{decs: &field.Decs.NodeDecs, field: &fieldPlace{list: s.Fields, field: field, above: guarded}}
		case *ast.FuncType, *ast.InterfaceType:
			return nil
		}
	}
	return nil
}

// declarePackageVar puts a variable above the package variable or type at the
// head of path, inside its group when it is in a group of variables.
func (f *editedFile) declarePackageVar(path []ast.Node, l *analysis.Lock) *declaration {
	var spec dst.Spec
	for _, n := range path {
		switch n := n.(type) {
		case *ast.ValueSpec, *ast.TypeSpec:
			spec, _ = f.node(f.tree.known(n)).(dst.Spec)
		case *ast.GenDecl:
			decl, ok := f.node(f.tree.known(n)).(*dst.GenDecl)
			if !ok || spec == nil {
				return nil
			}
			return f.insertVar(decl, spec, l)
		}
	}
	return nil
}

func (f *editedFile) insertVar(decl *dst.GenDecl, beside dst.Spec, l *analysis.Lock) *declaration {
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
		return &declaration{decs: &spec.Decs.NodeDecs}
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
	return &declaration{decs: &spec.Decs.NodeDecs}
}

// declareLocal puts a variable above the statement that declares the local
// variable at the head of path, or first in the body of the function whose
// parameter or result it is.
func (m *Mutation) declareLocal(f *editedFile, path []ast.Node, l *analysis.Lock) *declaration {
	stmt, decs := localDeclaration(f.newSpec(l))
	d := &declaration{decs: decs}
	name := f.tree.file.Rel
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
			if m.Insert(name, body.List[0], false, stmt) != nil {
				return nil
			}
			return d
		case ast.Stmt:
			at, ok := f.node(f.tree.known(n)).(dst.Stmt)
			if !ok || signature {
				continue
			}
			if list, _, _ := f.listOf(at); list != nil && !isClause(at) {
				if m.Insert(name, at, false, stmt) != nil {
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
func (f *editedFile) body(fn ast.Node) *dst.BlockStmt {
	switch n := f.node(f.tree.known(fn)).(type) {
	case *dst.FuncDecl:
		return n.Body
	case *dst.FuncLit:
		return n.Body
	}
	return nil
}
