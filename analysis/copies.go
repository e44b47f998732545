package analysis

import (
	"go/ast"
	"go/token"
	"go/types"
)

// findCopies finds the module's struct types to which no mutex can be added
// because somewhere a value of them, or of something that contains one, is
// copied or compared, or a literal has no keys.
//
// It follows go vet's copylocks in what a copy is, and is stricter where a copy
// is legal but would be surprising: parameters, results that are not made where they
// are returned, == and map keys.
func (p *Program) findCopies() map[*types.TypeName]copying {
	c := &copyFinder{copied: map[*types.TypeName]copying{}, bodies: map[*ast.FuncType]bool{}}
	for _, pkg := range p.Packages {
		c.info = pkg.Info
		for _, f := range pkg.Files {
			ast.Inspect(f.AST, c.visit)
		}
		for _, tree := range pkg.hidden {
			ast.Inspect(tree, c.visit)
		}
	}
	return c.copied
}

// copying says what speaks against a field that must not be copied.
type copying int

const (
	unkeyed copying = iota + 1 // only a literal without keys, which names all fields
	copied                     // a copy
)

type copyFinder struct {
	info   *types.Info
	copied map[*types.TypeName]copying
	bodies map[*ast.FuncType]bool // their return statements say whether results are copies
}

func (c *copyFinder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		c.fields(n.Recv)
		if n.Body != nil {
			c.judged(n.Type)
		}
	case *ast.FuncLit:
		c.judged(n.Type)
	case *ast.FuncType:
		c.fields(n.Params)
		if !c.bodies[n] {
			c.fields(n.Results)
		}
	case *ast.AssignStmt:
		for _, e := range n.Rhs {
			c.value(e)
		}
	case *ast.ValueSpec:
		for _, e := range n.Values {
			c.value(e)
		}
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			c.value(e)
		}
	case *ast.SendStmt:
		c.value(n.Value)
	case *ast.RangeStmt:
		c.ranged(n)
	case *ast.CallExpr:
		c.call(n)
	case *ast.CompositeLit:
		c.literal(n)
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			c.mark(c.info.TypeOf(n.X))
			c.mark(c.info.TypeOf(n.Y))
		}
	case *ast.SwitchStmt:
		if n.Tag != nil {
			c.mark(c.info.TypeOf(n.Tag))
		}
	case *ast.MapType:
		c.mark(c.info.TypeOf(n.Key))
	case *ast.SelectorExpr:
		// A method value binds a copy of a receiver that is no pointer; the
		// declaration of the method has been marked for it.
	}
	return true
}

func (c *copyFinder) fields(list *ast.FieldList) {
	if list != nil {
		for _, f := range list.List {
			c.mark(c.info.TypeOf(f.Type))
		}
	}
}

// judged notes a function whose results need no names: each is in a return statement,
// which copies a value or makes one, as a constructor does.
func (c *copyFinder) judged(t *ast.FuncType) {
	if t.Results != nil && len(t.Results.List) > 0 && len(t.Results.List[0].Names) == 0 {
		c.bodies[t] = true
	}
}

// ranged marks what a range loop copies out of a slice, array, map or channel.
func (c *copyFinder) ranged(n *ast.RangeStmt) {
	for _, e := range []ast.Expr{n.Key, n.Value} {
		if id, ok := e.(*ast.Ident); ok && id.Name == "_" || e == nil {
			continue
		}
		c.mark(c.info.TypeOf(e))
	}
	if t := c.info.TypeOf(n.X); t != nil {
		if _, isArray := t.Underlying().(*types.Array); isArray && n.Value != nil {
			c.mark(t)
		}
	}
}

// call marks arguments passed by value. A conversion between struct types
// marks both: they must stay identical but for their names.
func (c *copyFinder) call(n *ast.CallExpr) {
	if tv := c.info.Types[n.Fun]; tv.IsType() {
		if len(n.Args) == 1 {
			c.mark(c.info.TypeOf(n.Args[0]))
			c.mark(tv.Type)
			c.pointees(c.info.TypeOf(n.Args[0]), tv.Type)
		}
		return
	}
	if b, ok := calledObject(c.info, n).(*types.Builtin); ok {
		switch b.Name() {
		case "new", "len", "cap", "make", "Sizeof", "Offsetof", "Alignof", "delete", "clear":
			return
		case "copy":
			c.elements(c.info.TypeOf(n.Args[0]))
			return
		case "append":
			if n.Ellipsis.IsValid() {
				c.elements(c.info.TypeOf(n.Args[0]))
			}
		}
	}
	for _, a := range n.Args {
		c.value(a)
	}
}

// pointees marks two struct types between whose pointers is converted.
func (c *copyFinder) pointees(from, to types.Type) {
	if from == nil || to == nil || !isPointer(from) || !isPointer(to) || types.Identical(from, to) {
		return
	}
	c.mark(deref(from))
	c.mark(deref(to))
}

func (c *copyFinder) elements(t types.Type) {
	if s, ok := t.Underlying().(*types.Slice); ok {
		c.mark(s.Elem())
	}
}

// literal marks structs written without keys, and elements copied into a literal.
func (c *copyFinder) literal(n *ast.CompositeLit) {
	t := c.info.TypeOf(n)
	if t == nil {
		return
	}
	_, isStruct := deref(t).Underlying().(*types.Struct)
	for _, elt := range n.Elts {
		kv, keyed := elt.(*ast.KeyValueExpr)
		if keyed {
			elt = kv.Value
		} else if isStruct {
			c.markNamed(deref(t), unkeyed)
		}
		c.value(elt)
	}
}

// value marks the type of an expression whose value is copied to somewhere
// else. A literal is no copy, nor is a function's result: what it returns is judged
// there, or by its type.
func (c *copyFinder) value(e ast.Expr) {
	switch x := ast.Unparen(e).(type) {
	case *ast.CompositeLit, *ast.FuncLit:
		return
	case *ast.CallExpr:
		if !c.info.Types[x.Fun].IsType() {
			return
		}
	}
	if tv, ok := c.info.Types[e]; ok && tv.IsValue() {
		c.mark(tv.Type)
	}
}

// mark notes every module struct type that a value of type t contains.
func (c *copyFinder) mark(t types.Type) { c.contained(t, 0) }

func (c *copyFinder) contained(t types.Type, depth int) {
	if t == nil || depth > 20 {
		return
	}
	c.markNamed(t, copied)
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			c.contained(f.Type(), depth+1)
		}
	case *types.Array:
		c.contained(u.Elem(), depth+1)
	case *types.Tuple:
		for v := range u.Variables() {
			c.contained(v.Type(), depth+1)
		}
	}
}

func (c *copyFinder) markNamed(t types.Type, how copying) {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		obj := n.Origin().Obj()
		c.copied[obj] = max(c.copied[obj], how)
	}
}
