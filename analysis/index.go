package analysis

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A function is a declared function or a function literal of the module.
type function struct {
	node   ast.Node // *ast.FuncDecl or *ast.FuncLit
	body   *ast.BlockStmt
	file   *File
	outer  *function // around a literal; nil at package level
	name   string    // "(*Account).Run", "(*Account).Run.func1"
	uses   []Access  // of all variables, nested literals left out
	locks  []lockUse // calls on locks, likewise
	inside []*function
}

func (fn *function) object() types.Object {
	if d, ok := fn.node.(*ast.FuncDecl); ok {
		return fn.file.Package.Info.Defs[d.Name]
	}
	return nil
}

// within reports whether fn is outer or lies inside it.
func (fn *function) within(outer *function) bool {
	for f := fn; f != nil; f = f.outer {
		if f == outer {
			return true
		}
	}
	return false
}

// An index finds the module's declarations: functions with what they use,
// fields with their types.
type index struct {
	p         *Program
	functions []*function // by package, file and position
	byNode    map[ast.Node]*function
	byFile    map[*File][]*function
	owner     map[*types.Var]*types.TypeName // named struct type of a field
	labels    map[*types.Var]string          // what a field of an unnamed struct is called by
	parent    map[*types.Var]*types.Struct   // unnamed struct type of a field
	uses      map[*types.Var][]useOf
	variables []*types.Var // those with uses, by position
	counts    Counts
}

// A useOf is an access and the function it is in.
type useOf struct {
	*Access
	fn *function
}

// A lockUse is a call of a lock's method.
type lockUse struct {
	lock   Lock
	method string
	call   *ast.CallExpr
	field  *types.Var // the mutex field or variable; nil if it has none
}

func (u lockUse) acquires() bool { return !strings.HasSuffix(u.method, "nlock") }

func newIndex(p *Program) *index {
	ids := &index{
		p:      p,
		byNode: map[ast.Node]*function{},
		byFile: map[*File][]*function{},
		owner:  map[*types.Var]*types.TypeName{},
		labels: map[*types.Var]string{},
		parent: map[*types.Var]*types.Struct{},
		uses:   map[*types.Var][]useOf{},
	}
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			ids.addFunctions(f)
			ids.addDeclarations(f)
		}
	}
	for _, fn := range ids.functions {
		fn.uses = slices.Clone(p.accesses(fn.file.Package.Info, fn.node)) // no larger than it is
		fn.locks = p.lockUses(fn)
		for i := range fn.uses {
			v := fn.uses[i].Var
			ids.uses[v] = append(ids.uses[v], useOf{&fn.uses[i], fn})
		}
	}
	ids.variables = slices.SortedFunc(maps.Keys(ids.uses), func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return ids
}

// lockUses lists a function's calls on locks, those of nested literals left out.
func (p *Program) lockUses(fn *function) []lockUse {
	var found []lockUse
	if fn.body == nil {
		return nil
	}
	ast.Inspect(fn.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if l, method, ok := p.LockOf(fn.file, n); ok {
				found = append(found, lockUse{lock: l, method: method, call: n, field: p.lockField(fn.file, n)})
			}
		}
		return true
	})
	return found
}

// addFunctions indexes a file's functions, named as the runtime names them.
func (ids *index) addFunctions(f *File) {
	var outer []*function
	literals := map[*function]int{}
	global := 0
	var stack []ast.Node
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if n == nil {
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if len(outer) > 0 && outer[len(outer)-1].node == top {
				outer = outer[:len(outer)-1]
			}
			return true
		}
		stack = append(stack, n)
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
		default:
			return true
		}
		fn := &function{node: n, file: f}
		if len(outer) > 0 {
			fn.outer = outer[len(outer)-1]
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			fn.body, fn.name = n.Body, FuncName(n)
		case *ast.FuncLit:
			fn.body = n.Body
			if fn.outer == nil {
				global++
				fn.name = fmt.Sprintf("glob..func%d", global)
			} else {
				literals[fn.outer]++
				fn.name = literalName(fn.outer, literals[fn.outer])
				fn.outer.inside = append(fn.outer.inside, fn)
			}
		}
		outer = append(outer, fn)
		ids.functions = append(ids.functions, fn)
		ids.byNode[n] = fn
		ids.byFile[f] = append(ids.byFile[f], fn)
		if !f.Test {
			ids.counts.Functions++
		}
		return true
	})
}

// literalName follows the compiler: func1 in a declared function, func1.2 in func1.
func literalName(outer *function, n int) string {
	if _, isLit := outer.node.(*ast.FuncLit); isLit {
		return fmt.Sprintf("%s.%d", outer.name, n)
	}
	return fmt.Sprintf("%s.func%d", outer.name, n)
}

// addDeclarations counts a file's types and variables and notes which type a field belongs to.
func (ids *index) addDeclarations(f *File) {
	info := f.Package.Info
	var defined []*ast.Ident
	ast.Inspect(f.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if obj, ok := info.Defs[n.Name].(*types.TypeName); ok && !n.Assign.IsValid() {
				ids.addFields(obj)
			}
			if !f.Test {
				ids.counts.Types++
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				if v := info.Defs[name]; v != nil {
					ids.addUnnamed(v.Name(), v.Type())
				}
			}
		case *ast.Ident:
			if v, ok := info.Defs[n].(*types.Var); ok && v.Name() != "_" {
				defined = append(defined, n)
			}
		}
		return true
	})
	if !f.Test {
		ids.counts.Variables += len(defined)
	}
}

func (ids *index) addFields(obj *types.TypeName) {
	st, ok := obj.Type().Underlying().(*types.Struct)
	if !ok {
		return
	}
	for f := range st.Fields() {
		if ids.owner[f] == nil {
			ids.owner[f] = obj
			ids.addUnnamed(obj.Name()+"."+f.Name(), f.Type())
		}
	}
}

// addUnnamed labels the fields of an unnamed struct type by what has that type.
func (ids *index) addUnnamed(label string, t types.Type) {
	if _, named := types.Unalias(t).(*types.Named); named {
		return
	}
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		ids.addUnnamed(label, u.Elem())
	case *types.Slice:
		ids.addUnnamed(label, u.Elem())
	case *types.Array:
		ids.addUnnamed(label, u.Elem())
	case *types.Map:
		ids.addUnnamed(label, u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if ids.labels[f] == "" {
				ids.parent[f] = u
				ids.labels[f] = label + "." + f.Name()
				ids.addUnnamed(ids.labels[f], f.Type())
			}
		}
	}
}

// varName names a variable for people: "Account.amount", "total", "Transfer.n".
func (ids *index) varName(v *types.Var) string {
	if owner := ids.owner[v]; owner != nil {
		return owner.Name() + "." + v.Name()
	}
	if label := ids.labels[v]; label != "" {
		return label
	}
	if v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return v.Name()
	}
	if fn := ids.at(v.Pos()); fn != nil {
		return fn.name + "." + v.Name()
	}
	return v.Name()
}

// at is the innermost function around a position; nil outside of functions.
func (ids *index) at(pos token.Pos) *function {
	f := ids.p.fileAt(pos)
	if f == nil {
		return nil
	}
	var found *function
	for _, fn := range ids.byFile[f] { // outer ones come first
		if fn.node.Pos() <= pos && pos < fn.node.End() {
			found = fn
		}
	}
	return found
}

// firstWritten is the first variable of the block of a captured one, itself or another, that a
// function literal writes. Parameters and results are a block of their own.
func (ids *index) firstWritten(v *types.Var) *types.Var {
	first := v
	for _, name := range v.Parent().Names() {
		w, ok := v.Parent().Lookup(name).(*types.Var)
		if ok && w.Kind() == v.Kind() && w.Pos() < first.Pos() && ids.captured(w) && ids.writtenInLiteral(w) {
			first = w
		}
	}
	return first
}

func (ids *index) writtenInLiteral(v *types.Var) bool {
	return slices.ContainsFunc(ids.uses[v], func(u useOf) bool {
		_, literal := u.fn.node.(*ast.FuncLit)
		return literal && u.Write && !u.elem
	})
}

// captured reports whether a local variable is used by another function than
// that which declares it.
func (ids *index) captured(v *types.Var) bool {
	home := ids.at(v.Pos())
	return slices.ContainsFunc(ids.uses[v.Origin()], func(u useOf) bool { return u.fn != home })
}

// position writes a place for people: "account.go:31".
func (ids *index) position(pos token.Pos) string {
	p := ids.p.Fset.Position(pos)
	name := p.Filename
	if f := ids.p.fileAt(pos); f != nil {
		name = f.Rel
	}
	return fmt.Sprintf("%s:%d", name, p.Line)
}

// places lists functions with one position each: "Deposit (account.go:12), Balance (account.go:20)".
func (ids *index) places(uses []useOf, limit int) string {
	uses = slices.Clone(uses)
	seen := map[*function]bool{}
	var parts []string
	slices.SortStableFunc(uses, func(a, b useOf) int { return cmp.Compare(a.Expr.Pos(), b.Expr.Pos()) })
	for _, u := range uses {
		if !seen[u.fn] {
			seen[u.fn] = true
			parts = append(parts, fmt.Sprintf("%s (%s)", u.fn.name, ids.position(u.Expr.Pos())))
		}
	}
	if len(parts) > limit {
		parts = append(parts[:limit], fmt.Sprintf("%d more", len(parts)-limit))
	}
	return strings.Join(parts, ", ")
}
