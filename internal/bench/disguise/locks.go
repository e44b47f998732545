package disguise

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// lockCalls are the methods of locks, with those of a value that stand for them.
var lockCalls = map[string]string{"Lock": "lock", "Unlock": "unlock", "RLock": "rlock", "RUnlock": "runlock"}

// A guard is the only mutex of a struct, a field with a name of its own.
type guard struct {
	structure
	field *ast.Field
	obj   *types.Var
	uses  []use
}

// A use is where a guard's field is selected.
type use struct {
	selector *ast.SelectorExpr
	method   string     // of the lock that is selected of it; "": the field itself is used
	call     ast.Expr   // x.mu.Lock, if a method is selected
	whose    types.Type // of x
}

// guards are the structs with one mutex, and where it is used.
func (m *module) guards() (all []*guard) {
	for _, s := range m.structures() {
		var found []*guard
		for _, f := range s.body.Fields.List {
			if len(f.Names) == 0 || !isSync(s.unit.info.TypeOf(f.Type), "Mutex", "RWMutex") {
				continue
			}
			for _, name := range f.Names {
				found = append(found, &guard{structure: s, field: f, obj: s.unit.info.Defs[name].(*types.Var)})
			}
		}
		if len(found) == 1 {
			all = append(all, found[0])
		}
	}
	m.inspect(func(u unit, n ast.Node, around []ast.Node) {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return
		}
		used := m.place(u.info.Uses[sel.Sel])
		for _, g := range all {
			if used != m.place(g.obj) {
				continue
			}
			next := use{selector: sel, whose: u.info.TypeOf(sel.X)}
			if len(around) > 0 {
				if outer, ok := around[len(around)-1].(*ast.SelectorExpr); ok && outer.X == sel {
					next.method, next.call = outer.Sel.Name, outer
				}
			}
			g.uses = append(g.uses, next)
		}
	})
	return all
}

// embedded embeds a struct's only mutex.
func embedded(m *module) (changes []change) {
	for _, g := range m.guards() {
		if slices.ContainsFunc([]string{"Lock", "Unlock", "RLock", "RUnlock", "TryLock", "Mutex", "RWMutex"}, func(n string) bool { return declares(g.name, n) }) {
			continue
		}
		_, name, _ := cut(m.text(g.field.Type))
		c := change{m.splice(g.field.Names[0].Pos(), g.field.Type.Pos(), "")}
		for _, u := range g.uses {
			if u.method != "" {
				c = append(c, m.splice(u.selector.X.End(), u.selector.Sel.End(), ""))
			} else {
				c = append(c, m.splice(u.selector.Sel.Pos(), u.selector.Sel.End(), name))
			}
		}
		// A literal with a key for the mutex does not compile any more, and so the type stays.
		changes = append(changes, c)
	}
	return changes
}

// cut cuts a qualified name at its last point.
func cut(qualified string) (before, after string, found bool) {
	for i := len(qualified) - 1; i >= 0; i-- {
		if qualified[i] == '.' {
			return qualified[:i], qualified[i+1:], true
		}
	}
	return "", qualified, false
}

// accessors takes locks by methods of the value that has them.
func accessors(m *module) (changes []change) {
	for _, g := range m.guards() {
		if g.spec.TypeParams != nil {
			continue
		}
		needed := map[string]bool{}
		var c change
		for _, u := range g.uses {
			helper := lockCalls[u.method]
			if helper == "" || declares(g.name, helper) || !m.isOf(u.whose, g.name) {
				continue
			}
			needed[u.method] = true
			c = append(c, m.splice(u.selector.Sel.Pos(), u.call.End(), helper))
		}
		var text string
		for _, method := range []string{"Lock", "Unlock", "RLock", "RUnlock"} {
			if needed[method] {
				text += fmt.Sprintf("\n\nfunc (guarded *%s) %s() { guarded.%s.%s() }", g.spec.Name.Name, lockCalls[method], g.obj.Name(), method)
			}
		}
		if text != "" {
			end := m.declaration(g.structure).End()
			changes = append(changes, append(c, m.splice(end, end, text)))
		}
	}
	return changes
}

// isOf reports whether a type is the named one, or a pointer to it.
func (m *module) isOf(t types.Type, name *types.TypeName) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && m.place(named.Obj()) == m.place(name)
}

// declaration is the declaration that has a struct.
func (m *module) declaration(s structure) ast.Decl {
	i := slices.IndexFunc(s.file.Decls, func(d ast.Decl) bool { return d.Pos() <= s.spec.Pos() && s.spec.End() <= d.End() })
	return s.file.Decls[i]
}

// rwMutex makes each mutex one that has readers, too.
func rwMutex(m *module) (changes []change) {
	m.inspect(func(u unit, n ast.Node, _ []ast.Node) {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return
		}
		if name, ok := u.info.Uses[sel.Sel].(*types.TypeName); ok && isSync(name.Type(), "Mutex") {
			changes = append(changes, change{m.splice(sel.Sel.Pos(), sel.Sel.End(), "RWMutex")})
		}
	})
	if len(changes) > 0 {
		changes = []change{slices.Concat(changes...)}
	}
	return changes
}
