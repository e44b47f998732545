package syntax

import (
	"go/ast"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Test is a function of a test file that go test runs: a test, a fuzz test, of which it
// runs the seeds, or an example that says what it prints.
type Test struct {
	Name string
	Kind TestKind

	// Of an example:
	Output    string
	Unordered bool // its lines may come in any order
}

// A TestKind is what kind of test it is, in the order in which go test runs them.
type TestKind int

// Kinds of tests.
const (
	PlainTest TestKind = iota
	FuzzTest
	ExampleTest
)

// Tests are the tests that a file declares. An example is known by a comment, so the file
// has to be parsed with its comments.
func Tests(file *ast.File) []Test {
	var tests []Test
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Type.TypeParams != nil || fn.Type.Results != nil {
			continue
		}
		name := fn.Name.Name
		switch {
		case testName(name, "Test") && name != "TestMain" && takes(file, fn, "T"):
			tests = append(tests, Test{Name: name})
		case testName(name, "Fuzz") && takes(file, fn, "F"):
			tests = append(tests, Test{Name: name, Kind: FuzzTest})
		case testName(name, "Example") && fn.Type.Params.NumFields() == 0 && fn.Body != nil:
			if output, unordered, ok := exampleOutput(file, fn.Body); ok {
				tests = append(tests, Test{name, ExampleTest, output, unordered})
			}
		}
	}
	return tests
}

// testName reports whether go test takes a function of this name for a test of a kind.
func testName(name, kind string) bool {
	rest, ok := strings.CutPrefix(name, kind)
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && (rest == "" || !unicode.IsLower(first))
}

// takes reports whether a function has one parameter, a pointer to a type of package
// testing, however that is imported.
func takes(file *ast.File, fn *ast.FuncDecl, name string) bool {
	params := fn.Type.Params.List
	if len(params) != 1 || len(params[0].Names) > 1 {
		return false
	}
	star, ok := params[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	names := map[string]bool{}
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != "testing" {
			continue
		}
		name := "testing"
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = true
	}
	switch x := star.X.(type) {
	case *ast.SelectorExpr:
		id, ok := x.X.(*ast.Ident)
		return ok && names[id.Name] && x.Sel.Name == name
	case *ast.Ident:
		return names["."] && x.Name == name
	}
	return false
}

// outputPrefix begins the comment that says what an example prints.
var outputPrefix = regexp.MustCompile(`(?i)^[[:space:]]*(unordered )?output:`)

// exampleOutput is what the last comment of an example says that it prints.
func exampleOutput(file *ast.File, body *ast.BlockStmt) (output string, unordered, ok bool) {
	var last *ast.CommentGroup
	for _, group := range file.Comments {
		if body.Pos() <= group.Pos() && group.End() <= body.End() {
			last = group
		}
	}
	if last == nil {
		return "", false, false
	}
	text := last.Text()
	at := outputPrefix.FindStringSubmatchIndex(text)
	if at == nil {
		return "", false, false
	}
	text = strings.TrimPrefix(strings.TrimLeft(text[at[1]:], " "), "\n")
	return text, at[2] >= 0, true
}
