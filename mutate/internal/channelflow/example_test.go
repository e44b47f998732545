package channelflow_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"mendel/analysis"
	"mendel/mutate/internal/channelflow"
)

// The channel is made in one function, received from in a second and sent on in
// a third, under a different name in each.
func Example() {
	const src = `package p

type server struct{ in chan int }

func start() *server { s := &server{in: make(chan int)}; go s.serve(); return s }
func (s *server) serve() { for range s.in { } }
func feed(to chan<- int) { for { to <- 1 } }
func run() { feed(start().in) }
`
	p := program(src)
	index := channelflow.New(p, func(n ast.Node) string {
		if decl, ok := n.(*ast.FuncDecl); ok {
			return decl.Name.Name
		}
		return ""
	})
	for _, c := range index.All() {
		for _, u := range c.Uses() {
			fmt.Printf("%s: %s, loop %t\n", u.Fn, types.ExprString(u.Expr), u.Loop)
		}
	}
	// Output:
	// start: make(chan int), loop false
	// feed: to, loop true
	// serve: s.in, loop false
}

// program type-checks one file.
func program(src string) *analysis.Program {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object), Implicits: make(map[ast.Node]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection),
	}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		panic(err)
	}
	unit := &analysis.Package{Types: pkg, Info: info}
	unit.Files = []*analysis.File{{AST: file, Rel: "p.go", Package: unit}}
	return &analysis.Program{Fset: fset, Packages: []*analysis.Package{unit}}
}
