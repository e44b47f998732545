package noise

import (
	"go/ast"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// watch makes a top-level test call hook.Watch first.
func (in *instrumenter) watch(fn *ast.FuncDecl) {
	if !strings.HasSuffix(in.rel, "_test.go") || fn.Recv != nil || fn.Type.TypeParams != nil || !isTestName(fn.Name.Name) {
		return
	}
	params := fn.Type.Params.List
	if fn.Type.Results != nil || len(params) != 1 || len(params[0].Names) > 1 || !in.isTestingT(params[0].Type) {
		return
	}
	parameter := in.name + "T" // free, because the import's name occurs nowhere in the package
	switch names := params[0].Names; {
	case len(names) == 0:
		in.Insert(params[0].Type.Pos(), parameter+" ")
	case names[0].Name == "_":
		in.Put(names[0].Pos(), names[0].End(), parameter)
	default:
		parameter = names[0].Name
	}
	in.Insert(fn.Body.Lbrace+1, " defer "+in.name+".Watch("+parameter+")();")
}

// isTestName reports whether go test takes a function of this name for a test.
func isTestName(name string) bool {
	rest, ok := strings.CutPrefix(name, "Test")
	if !ok || name == "TestMain" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLower(r)
}

// isTestingT reports whether a type is *testing.T, however package testing is imported.
func (in *instrumenter) isTestingT(t ast.Expr) bool {
	star, ok := t.(*ast.StarExpr)
	if !ok {
		return false
	}
	local := ""
	for _, spec := range in.file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != "testing" {
			continue
		}
		local = "testing"
		if spec.Name != nil {
			local = spec.Name.Name
		}
	}
	switch x := star.X.(type) {
	case *ast.SelectorExpr:
		id, ok := x.X.(*ast.Ident)
		return ok && id.Name == local && x.Sel.Name == "T"
	case *ast.Ident:
		return local == "." && x.Name == "T"
	}
	return false
}

// failing has the methods by which a test fails.
var failing = map[string]bool{"Error": true, "Errorf": true, "Fail": true, "FailNow": true, "Fatal": true, "Fatalf": true}

// fails reports whether a statement makes a test fail, by a method of its T.
func (in *instrumenter) fails(s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	method, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !failing[method.Sel.Name] {
		return false
	}
	id, ok := ast.Unparen(method.X).(*ast.Ident)
	return ok && in.tests[id.Name]
}

// failure is the hook before a statement by which a test fails.
func (in *instrumenter) failure(s ast.Stmt) string {
	if in.inVain[s] {
		return "V"
	}
	return "F"
}

// timedOut notes the statements of a case that a timer or a context selects.
func (in *instrumenter) timedOut(c *ast.CommClause) {
	timed := anyNode(c.Comm, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			return timers[n.Name] || strings.Contains(strings.ToLower(n.Name), "timeout")
		case *ast.SelectorExpr:
			return n.Sel.Name == "C" || n.Sel.Name == "Done"
		}
		return false
	})
	if !timed {
		return
	}
	for _, s := range c.Body {
		ast.Inspect(s, func(n ast.Node) bool {
			if s, ok := n.(ast.Stmt); ok {
				in.inVain[s] = true
			}
			return true
		})
	}
}

// tests collects the names of parameters of a test file that are a test: *T, or TB, of
// package testing.
func tests(file *ast.File) map[string]bool {
	names := make(map[string]bool)
	ast.Inspect(file, func(n ast.Node) bool {
		f, ok := n.(*ast.Field)
		if !ok {
			return true
		}
		t := ast.Unparen(f.Type)
		if star, ok := t.(*ast.StarExpr); ok {
			t = star.X
		}
		if s, ok := t.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "testing" && (s.Sel.Name == "T" || s.Sel.Name == "TB") {
				for _, id := range f.Names {
					names[id.Name] = true
				}
			}
		}
		return true
	})
	return names
}
