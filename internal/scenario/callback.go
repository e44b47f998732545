package scenario

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// backCall is a call that the functions which a value is prepared with can make: one that concerns
// the patch and does not wait; nil: there is none, or no such function.
func (m *maker) backCall(d *donor, calls []*call) *call {
	if d.subject == nil || d.literals() == 0 {
		return nil
	}
	for _, c := range calls {
		if c.concerns && !c.waits && !c.closes && !strings.Contains(c.text, other) && !strings.Contains(c.text, "func(") {
			return c
		}
	}
	return nil
}

// literals counts the function literals among the arguments, and in the composite literals, of the
// statement that declares the subject.
func (d *donor) literals() (n int) {
	ast.Inspect(d.declaring(), func(x ast.Node) bool {
		if l, ok := x.(*ast.FuncLit); ok {
			if l.Body != nil {
				n++
			}
			return false
		}
		return true
	})
	return n
}

// declaring is the statement that declares the subject.
func (d *donor) declaring() ast.Stmt {
	for _, s := range d.prepare {
		for _, v := range declared(d.file.Package.Info, s) {
			if v == d.subject {
				return s
			}
		}
	}
	return d.prepare[len(d.prepare)-1]
}

// withCallback is the source of the statement that declares the subject, whose function literals make a
// call of the subject first, once each time that no other of them does.
func (x *Scenario) withCallback() string {
	d := x.donor
	s := d.declaring()
	assign, ok := s.(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE {
		return source(d.file, s)
	}
	text, start := source(d.file, s), s.Pos()
	var places []int
	ast.Inspect(s, func(n ast.Node) bool {
		if l, ok := n.(*ast.FuncLit); ok {
			places = append(places, int(l.Body.Lbrace-start)+1)
			return false
		}
		return true
	})
	insert := fmt.Sprintf("\nif mendelInside.CompareAndSwap(false, true) {\n%s\nmendelInside.Store(false)\n}\n", x.back.text)
	for i := len(places) - 1; i >= 0; i-- {
		text = text[:places[i]] + insert + text[places[i]:]
	}
	// The subject is declared before its functions name it.
	text = strings.Replace(text, ":=", "=", 1)
	var others []string
	for _, v := range declared(d.file.Package.Info, s) {
		name, _ := x.suite.maker.typeName(d, v.Type())
		others = append(others, fmt.Sprintf("var %s %s\n", v.Name(), name))
	}
	return "var mendelInside " + x.suite.maker.imported(d, "sync/atomic") + ".Bool\n" + strings.Join(others, "") + text
}
