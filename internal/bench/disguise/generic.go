package disguise

import (
	"go/ast"
	"go/types"
)

// parameter is the name of the type parameter that types get.
const parameter = "Opaque"

// generic gives each struct with a lock or a channel a type parameter that nothing uses.
func generic(m *module) (changes []change) {
	for _, s := range m.structures() {
		if s.spec.TypeParams == nil && synchronises(s.name.Type()) {
			changes = append(changes, m.parameterise(s))
		}
	}
	return changes
}

// synchronises reports whether a struct has a field that goroutines meet at.
func synchronises(t types.Type) bool {
	body := t.Underlying().(*types.Struct)
	for f := range body.Fields() {
		if _, isChan := f.Type().Underlying().(*types.Chan); isChan {
			return true
		}
		if isSync(f.Type(), "Mutex", "RWMutex", "WaitGroup", "Once", "Cond", "Map") {
			return true
		}
		if named, ok := types.Unalias(f.Type()).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync/atomic" {
			return true
		}
	}
	return false
}

// parameterise gives a type a type parameter. Within it and its methods the argument is
// the parameter, elsewhere int.
func (m *module) parameterise(s structure) (c change) {
	c = append(c, m.splice(s.spec.Name.End(), s.spec.Name.End(), "["+parameter+" any]"))
	here := m.place(s.name)
	m.inspect(func(u unit, n ast.Node, around []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || m.place(u.info.Uses[id]) != here {
			return
		}
		if _, isType := u.info.Uses[id].(*types.TypeName); !isType {
			return
		}
		argument := "int"
		for _, n := range around {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if owner, ok := m.owner(u, n); ok && owner == here {
					argument = parameter
				}
			case *ast.TypeSpec:
				if m.place(u.info.Defs[n.Name]) == here {
					argument = parameter
				}
			}
		}
		c = append(c, m.splice(id.End(), id.End(), "["+argument+"]"))
	})
	return c
}
