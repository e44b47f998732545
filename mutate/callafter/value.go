package callafter

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A value has a lock that is held when its methods make calls.
type value struct {
	method  *mutate.Function // the first method that is called with the lock
	key     string           // of the lock
	calls   []call           // to put off, those of the method first
	holders []*holder        // the sections in which the calls are made
	field   analysis.Lock    // where the calls wait
	name    string           // of the new method that releases the lock
}

// valueOf finds the value whose method a function is, if it makes calls with the value's
// lock, which its callers hold.
func valueOf(fn *mutate.Function) *value {
	recv := receiver(fn)
	if recv == nil {
		return nil
	}
	list := unheld(fn)
	if len(list) == 0 {
		return nil
	}
	v := &value{method: fn, calls: list}
	if !v.hold(fn, map[*mutate.Function]bool{}) || v.key == "" {
		return nil
	}
	if !v.others() || !v.declare(recv) {
		return nil
	}
	return v
}

// unheld lists the calls of a method that no section of its own is around.
func unheld(fn *mutate.Function) []call {
	return slices.DeleteFunc(calls(fn), func(c call) bool {
		return slices.ContainsFunc(fn.Sections(), func(s *mutate.Section) bool { return s.Holds(c.stmt) })
	})
}

// receiver is the variable of a method that is not exported, whose receiver is a pointer.
func receiver(fn *mutate.Function) *types.Var {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List[0].Names) == 0 || decl.Name.IsExported() {
		return nil
	}
	v, _ := fn.File.Package.Info.Defs[decl.Recv.List[0].Names[0]].(*types.Var)
	if v == nil || !syntax.Pointer(v.Type()) || v.Name() == "_" {
		return nil
	}
	return v
}

// hold finds the sections in which a method is called; false if it is called or used in
// another way, too.
func (v *value) hold(fn *mutate.Function, seen map[*mutate.Function]bool) bool {
	if seen[fn] {
		return true
	}
	seen[fn] = true
	callers := fn.Callers()
	sites := 0
	for _, from := range callers {
		for _, c := range from.Calls(from.Body.List...) {
			if c.To != fn {
				continue
			}
			sites++
			if !v.holdAt(from, c.Expr, seen) {
				return false
			}
		}
	}
	return sites > 0 && sites == mentions(fn)
}

// holdAt finds the section around one call of a method of the value.
func (v *value) holdAt(from *mutate.Function, x *ast.CallExpr, seen map[*mutate.Function]bool) bool {
	sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	stmt := mutate.Innermost(from.Statements(), x).Stmt
	if stmt == nil {
		return false
	}
	base := types.ExprString(sel.X)
	h := holderOf(from, stmt, base)
	if h == nil { // the caller is called with the lock in turn
		recv := receiver(from)
		return recv != nil && base == recv.Name() && v.hold(from, seen)
	}
	return v.add(h)
}

// add takes note of a section; false if it is one of another lock or for reading.
func (v *value) add(h *holder) bool {
	if h.s.Read || h.s.InLiteral != nil || h.s.Again || v.key != "" && v.key != h.s.Lock.Key {
		return false
	}
	v.key = h.s.Lock.Key
	if !slices.ContainsFunc(v.holders, func(o *holder) bool { return o.s.Acquire == h.s.Acquire }) {
		v.holders = append(v.holders, h)
	}
	return true
}

// mentions counts where a method is named outside of its declaration.
func mentions(fn *mutate.Function) int {
	info := fn.File.Package.Info
	def := info.Defs[fn.Node.(*ast.FuncDecl).Name]
	n := 0
	for _, obj := range info.Uses {
		if f, ok := obj.(*types.Func); ok && f.Origin() == def {
			n++
		}
	}
	return n
}

// others adds the calls that other functions make under the lock; false if they are
// made under its read side, too.
func (v *value) others() bool {
	for _, g := range v.method.OfPackage() {
		if g == v.method {
			continue
		}
		if receiver(g) != nil {
			more := &value{method: g}
			if list := unheld(g); len(list) > 0 && more.hold(g, map[*mutate.Function]bool{}) && more.key == v.key {
				v.calls = append(v.calls, list...)
				for _, h := range more.holders {
					v.add(h)
				}
			}
		}
		if !v.othersWithin(g) {
			return false
		}
	}
	return true
}

// othersWithin adds the calls of a function in its own sections of the lock.
func (v *value) othersWithin(g *mutate.Function) bool {
	for _, c := range calls(g) {
		for _, s := range g.Sections() {
			base, _, ok := cut(s.Lock)
			if !ok || s.Lock.Key != v.key || !s.Holds(c.stmt) {
				continue
			}
			if !v.add(&holder{g, s, base}) {
				return false
			}
			v.calls = append(v.calls, c)
		}
	}
	return true
}

// callsIn lists the calls of a function.
func (v *value) callsIn(fn *mutate.Function) []call {
	return slices.DeleteFunc(slices.Clone(v.calls), func(c call) bool { return c.fn != fn })
}

// declare finds a place for the field in which the calls wait, and a name for the method.
func (v *value) declare(recv *types.Var) bool {
	t, ok := types.Unalias(types.Unalias(recv.Type()).(*types.Pointer).Elem()).(*types.Named)
	if !ok {
		return false
	}
	free := func(name string) string {
		for {
			obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, recv.Pkg(), name)
			if obj == nil {
				return name
			}
			name += "2"
		}
	}
	owner, lock := syntax.CutLast(v.key)
	file, beside := fieldBehind(v.method.File.Package, t.Obj(), lock)
	if beside == nil {
		return false
	}
	v.name = free("unlock")
	field := free("afterUnlock")
	v.field = analysis.Lock{
		Expr: recv.Name() + "." + field,
		Key:  owner + "." + field,
		New: &analysis.NewLock{
			Kind: analysis.FieldLock, Name: field, File: file.Rel, Type: "[]func()",
			Offset: v.method.Program.Fset.PositionFor(beside.Pos(), false).Offset,
		},
	}
	return true
}

// fieldBehind finds the field below a lock in a struct type, or the lock if it is the
// last; nil if the type has no such lock.
func fieldBehind(p *analysis.Package, t *types.TypeName, lock string) (file *analysis.File, beside *ast.Ident) {
	for _, f := range p.Files {
		ast.Inspect(f.AST, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || p.Info.Defs[spec.Name] != t {
				return beside == nil
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				file, beside = f, below(s, lock)
			}
			return false
		})
	}
	return file, beside
}

func below(s *ast.StructType, lock string) *ast.Ident {
	is := func(id *ast.Ident) bool { return id.Name == lock }
	for i, f := range s.Fields.List {
		at := slices.IndexFunc(f.Names, is)
		switch {
		case at < 0:
		case i+1 < len(s.Fields.List) && len(s.Fields.List[i+1].Names) > 0:
			return s.Fields.List[i+1].Names[0]
		default:
			return f.Names[at]
		}
	}
	return nil
}

func (v *value) apply(m *mutate.Mutation, e mutate.Edit) error {
	_, field := syntax.CutLast(v.field.Key)
	for _, c := range v.calls {
		base := v.base(c)
		if err := c.putOff(m, e, base+"."+field); err != nil {
			return err
		}
	}
	for _, h := range v.holders {
		if err := h.release(m, e, v.name); err != nil {
			return err
		}
	}
	return v.insert(m, e, field)
}

// base is the value as the function of a call names it.
func (v *value) base(c call) string {
	for _, h := range v.holders {
		if h.fn == c.fn && h.s.Holds(c.stmt) {
			return h.base
		}
	}
	return receiver(c.fn).Name()
}

// insert declares the method that releases the lock.
func (v *value) insert(m *mutate.Mutation, e mutate.Edit, field string) error {
	decl, ok := m.Node(e.File, v.method.ID(v.method.Node)).(*dst.FuncDecl)
	if !ok {
		return mutate.Refuse(e, "another edit removed %s", v.method.Name)
	}
	file, err := m.File(e.File)
	if err != nil {
		return err
	}
	recv := receiver(v.method).Name()
	_, lock := syntax.CutLast(v.key)
	src := "// " + v.name + " releases " + recv + "." + lock + " and makes the calls that wait for that.\n" +
		"func _() {\n" +
		"calls := " + recv + "." + field + "\n" +
		recv + "." + field + " = nil\n" +
		recv + "." + lock + ".Unlock()\n" +
		"for _, call := range calls {\ncall()\n}\n}"
	return file.InsertFunc(decl, v.name, dst.Clone(decl.Recv).(*dst.FieldList), src)
}
