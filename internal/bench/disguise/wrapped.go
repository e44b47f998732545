package disguise

import (
	"go/ast"
	"strings"
)

// wrapped lets each exported method call one that does the work.
func wrapped(m *module) (changes []change) {
	for _, u := range m.units {
		for _, f := range u.syntax {
			if m.isTest(f) {
				continue
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Body != nil && fn.Name.IsExported() {
					if c := m.wrap(fn); c != nil {
						changes = append(changes, c)
					}
				}
			}
		}
	}
	return changes
}

// wrap renames a method and puts one before it that calls it; nil: some of its parameters
// have no name.
func (m *module) wrap(fn *ast.FuncDecl) change {
	if len(fn.Recv.List[0].Names) != 1 || fn.Recv.List[0].Names[0].Name == "_" {
		return nil
	}
	var arguments []string
	for _, p := range fn.Type.Params.List {
		if len(p.Names) == 0 {
			return nil
		}
		for _, name := range p.Names {
			if name.Name == "_" {
				return nil
			}
			argument := name.Name
			if _, variadic := p.Type.(*ast.Ellipsis); variadic {
				argument += "..."
			}
			arguments = append(arguments, argument)
		}
	}
	work := "do" + fn.Name.Name
	call := fn.Recv.List[0].Names[0].Name + "." + work + "(" + strings.Join(arguments, ", ") + ")"
	if fn.Type.Results != nil {
		call = "return " + call
	}
	head := m.splice(fn.Type.Func, fn.Type.End(), "")
	signature := m.files[head.file][head.from:head.to]
	return change{
		m.splice(fn.Type.Func, fn.Type.Func, signature+" {\n"+call+"\n}\n\n"),
		m.splice(fn.Name.Pos(), fn.Name.End(), work),
	}
}
