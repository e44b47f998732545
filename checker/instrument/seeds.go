package instrument

import (
	"fmt"
	"go/ast"
	"go/parser"
	"os"
	"path/filepath"
	"strings"

	"mendel/analysis"
)

// seedsHeader is the first line of a file with a seed.
const seedsHeader = "go test fuzz v1"

// seedsOf are the seeds of a fuzz test that are files, as elements of driver.Seed. Each line
// of such a file is a Go expression, a value with its type. A file with another one is left
// out, as is one with the name of a type that means something else in the package.
func seedsOf(pkg *analysis.Package, test, driver, math string) (seeds []string) {
	dir := filepath.Join(pkg.Dir, "testdata", "fuzz", test)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // there are none
	}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			continue
		}
		header, rest, _ := strings.Cut(string(text), "\n")
		if strings.TrimSpace(header) != seedsHeader {
			continue
		}
		if args, ok := seedArgs(pkg, rest, math); ok {
			seeds = append(seeds, fmt.Sprintf("%s.Seed{Name: %q, Args: []any{%s}}", driver, entry.Name(), strings.Join(args, ", ")))
		}
	}
	return seeds
}

// seedArgs are the values that the lines of a file are.
func seedArgs(pkg *analysis.Package, lines, math string) (args []string, ok bool) {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		e, err := parser.ParseExpr(line)
		if err != nil {
			return nil, false
		}
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return nil, false
		}
		switch fun := call.Fun.(type) {
		case *ast.Ident: // string("x")
			if !seedTypes[fun.Name] || pkg.Types.Scope().Lookup(fun.Name) != nil {
				return nil, false
			}
		case *ast.ArrayType: // []byte("x")
			if of, ok := fun.Elt.(*ast.Ident); !ok || fun.Len != nil || of.Name != "byte" {
				return nil, false
			}
		case *ast.SelectorExpr: // math.Float64frombits(0x7ff8000000000002)
			of, ok := fun.X.(*ast.Ident)
			if !ok || of.Name != "math" || fun.Sel.Name != "Float32frombits" && fun.Sel.Name != "Float64frombits" {
				return nil, false
			}
			line = math + strings.TrimPrefix(line, "math")
		default:
			return nil, false
		}
		args = append(args, line)
	}
	return args, true
}

// seedTypes are the types that arguments of fuzz tests may have, but for []byte.
var seedTypes = map[string]bool{
	"string": true, "bool": true, "byte": true, "rune": true, "float32": true, "float64": true,
	"int": true, "int8": true, "int16": true, "int32": true, "int64": true,
	"uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true,
}
