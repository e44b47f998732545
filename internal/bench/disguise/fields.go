package disguise

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// inner is the field of a struct that has others.
const inner = "inside"

// nested moves a struct's mutex, and the fields beside it that no literal sets, to a struct within it.
func nested(m *module) (changes []change) {
	set := m.setInLiterals()
	for _, s := range m.structures() {
		if !synchronises(s.name.Type()) || declares(s.name, inner) {
			continue
		}
		var c change
		var text strings.Builder
		hasLock := false
		moved := map[string]bool{}
		for _, f := range s.body.Fields.List {
			if !movable(m, s, f, set) {
				continue
			}
			hasLock = hasLock || isSync(s.unit.info.TypeOf(f.Type), "Mutex", "RWMutex")
			fmt.Fprintln(&text, m.text(f))
			c = append(c, m.splice(f.Pos(), f.End(), ""))
			for _, name := range f.Names {
				moved[m.place(s.unit.info.Defs[name]).String()] = true
			}
		}
		if !hasLock {
			continue
		}
		c = append(c, m.splice(s.body.Fields.Closing, s.body.Fields.Closing, inner+" struct {\n"+text.String()+"}\n"))
		m.inspect(func(u unit, n ast.Node, _ []ast.Node) {
			if sel, ok := n.(*ast.SelectorExpr); ok && moved[m.place(u.info.Uses[sel.Sel]).String()] {
				c = append(c, m.splice(sel.Sel.Pos(), sel.Sel.Pos(), inner+"."))
			}
		})
		changes = append(changes, c)
	}
	return changes
}

// movable reports whether a field can go to a struct within.
func movable(m *module, s structure, f *ast.Field, set map[string]bool) bool {
	if len(f.Names) == 0 || f.Tag != nil {
		return false
	}
	for _, name := range f.Names {
		if name.Name == "_" || name.IsExported() || set[m.place(s.unit.info.Defs[name]).String()] {
			return false
		}
	}
	return true
}

// setInLiterals are the places of the fields that a literal sets.
func (m *module) setInLiterals() map[string]bool {
	set := map[string]bool{}
	m.inspect(func(u unit, n ast.Node, _ []ast.Node) {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return
		}
		body, ok := u.info.TypeOf(lit).Underlying().(*types.Struct)
		if !ok {
			return
		}
		for i, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				if id, ok := kv.Key.(*ast.Ident); ok {
					set[m.place(u.info.Uses[id]).String()] = true
				}
			} else {
				set[m.place(body.Field(i)).String()] = true
			}
		}
	})
	return set
}

// names gives the fields that are not exported names that say nothing.
func names(m *module) []change {
	renamed := map[string]string{}
	var c change
	for _, s := range m.structures() {
		for _, f := range s.body.Fields.List {
			for _, name := range f.Names {
				if name.Name == "_" || name.IsExported() {
					continue
				}
				field := fmt.Sprintf("v%d", len(renamed)+1)
				renamed[m.place(s.unit.info.Defs[name]).String()] = field
				c = append(c, m.splice(name.Pos(), name.End(), field))
			}
		}
	}
	m.inspect(func(u unit, n ast.Node, _ []ast.Node) {
		if id, ok := n.(*ast.Ident); ok {
			if field := renamed[m.place(u.info.Uses[id]).String()]; field != "" {
				c = append(c, m.splice(id.Pos(), id.End(), field))
			}
		}
	})
	if len(c) == 0 {
		return nil
	}
	return []change{c}
}
