package regress

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"mendel/analysis"
)

// A copied test is one that failed, of which copies are made.
type copied struct {
	pkg   *analysis.Package
	file  *analysis.File
	decl  *ast.FuncDecl
	fset  *token.FileSet
	order string         // import path of package order
	name  string         // of the copies
	inner *ast.BlockStmt // what is done within the order: the test's body, or what it does in its bubble
	param string         // the name of *testing.T there
	spots []spot         // where events can stand, in the order of the source
	uses  []named        // imports
}

// A spot is a place of the test where events can stand: before a statement, or at the end of a
// block.
type spot struct {
	offset int
	end    bool
}

type named struct{ name, path string }

// errors for tests that are not copied.
var (
	errBubble   = errors.New("the test does not itself say what it does in a bubble of testing/synctest")
	errParallel = errors.New("the test has parallel subtests, and only one order at a time can be kept")
	errNoName   = errors.New("the test does not name its *testing.T")
)

// find finds a test in a program.
func find(p *analysis.Program, test string) (*copied, error) {
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if ok && f.Test && fn.Recv == nil && fn.Name.Name == test && fn.Body != nil {
					return &copied{pkg: pkg, file: f, decl: fn, fset: p.Fset}, nil
				}
			}
		}
	}
	return nil, fmt.Errorf("%s: there is no such test", test)
}

// prepare finds the spots, and a name that is free.
func (c *copied) prepare() error {
	if c.name != "" {
		return nil
	}
	params := c.decl.Type.Params.List
	if len(params) != 1 || len(params[0].Names) != 1 || params[0].Names[0].Name == "_" {
		return errNoName
	}
	c.param = params[0].Names[0].Name
	c.name = "TestRegress" + strings.TrimPrefix(strings.TrimPrefix(c.decl.Name.Name, "Test"), "_")
	for c.pkg.Types.Scope().Lookup(c.name) != nil {
		c.name += "Again"
	}
	return nil
}

// place finds the spots, and what the test imports.
func (c *copied) place() error {
	if c.spots != nil {
		return nil
	}
	c.inner = c.decl.Body
	if c.inBubble() {
		if c.inner = c.bubbleBody(); c.inner == nil {
			return errBubble
		}
	}
	if err := c.walk(); err != nil {
		return err
	}
	slices.SortFunc(c.spots, func(a, b spot) int { return a.offset - b.offset })
	c.spots = slices.CompactFunc(c.spots, func(a, b spot) bool { return a.offset == b.offset })
	return nil
}

// bubbleBody is what a test does in its only bubble; nil if it does not say so itself.
func (c *copied) bubbleBody() (body *ast.BlockStmt) {
	bubbles := 0
	ast.Inspect(c.decl, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		fn, ok := c.pkg.Info.Uses[sel.Sel].(*types.Func)
		if !ok || fn.Pkg() == nil || fn.Pkg().Path() != synctestPath || fn.Name() != "Test" && fn.Name() != "Run" {
			return true
		}
		bubbles++
		if lit, ok := call.Args[len(call.Args)-1].(*ast.FuncLit); ok && fn.Name() == "Test" && len(lit.Type.Params.List[0].Names) == 1 {
			body, c.param = lit.Body, lit.Type.Params.List[0].Names[0].Name
		}
		return true
	})
	if bubbles != 1 {
		return nil
	}
	return body
}

// walk notes where events can stand, and what the test imports.
func (c *copied) walk() (err error) {
	top := c.decl.Body
	ast.Inspect(c.decl, func(n ast.Node) bool {
		if n != nil && c.isOutside(n) {
			if _, ok := n.(*ast.Ident); !ok {
				return true
			}
		}
		switch n := n.(type) {
		case *ast.BlockStmt:
			c.list(n.List, n.Rbrace)
		case *ast.FuncLit:
			if len(n.Body.List) == 0 {
				c.spot(n.Body.Rbrace, true)
			}
		case *ast.CaseClause:
			c.list(n.Body, token.NoPos)
		case *ast.CommClause:
			c.list(n.Body, token.NoPos)
		case *ast.Ident:
			if p, ok := c.pkg.Info.Uses[n].(*types.PkgName); ok {
				c.use(p)
			}
		case *ast.SelectorExpr:
			if n.Sel.Name == "Parallel" && !slices.ContainsFunc(top.List, func(s ast.Stmt) bool { return s.Pos() == n.Pos() }) {
				err = errParallel
			}
		}
		return true
	})
	return err
}

// isOutside reports whether a node is not in what is done within the order.
func (c *copied) isOutside(n ast.Node) bool {
	return n.Pos() < c.inner.Pos() || n.End() > c.inner.End()
}

func (c *copied) use(p *types.PkgName) {
	n := named{path: p.Imported().Path()}
	if p.Name() != p.Imported().Name() || p.Name() != filepath.Base(n.path) {
		n.name = p.Name()
	}
	if !slices.Contains(c.uses, n) {
		c.uses = append(c.uses, n)
	}
}

// list notes the spots of a list of statements that ends at a brace.
func (c *copied) list(list []ast.Stmt, brace token.Pos) {
	for _, s := range list {
		switch s.(type) {
		case *ast.CaseClause, *ast.CommClause:
			return
		}
		if !isParallel(s) {
			c.spot(s.Pos(), false)
		}
	}
	if brace.IsValid() && len(list) > 0 && !leaves(list[len(list)-1]) {
		c.spot(brace, true)
	}
}

func (c *copied) spot(pos token.Pos, end bool) {
	c.spots = append(c.spots, spot{c.offset(pos), end})
}

// isParallel reports whether a statement is t.Parallel(), which copies leave out.
func isParallel(s ast.Stmt) bool {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Parallel" && len(call.Args) == 0
}

// leaves reports whether nothing behind a statement is reached.
func leaves(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt, *ast.ForStmt, *ast.SelectStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.IfStmt, *ast.LabeledStmt:
		return true // or perhaps not: then there is one spot less
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	}
	return false
}

// arrival and departure are the events of a spot.
func arrival(n int) string   { return arriving + letters(n) }
func departure(n int) string { return departing + letters(n) }

// What names of events begin with.
const (
	arriving  = "at"
	departing = "go"
)

// letters is a number in letters.
func letters(n int) string {
	if n < 26 {
		return string(rune('A' + n))
	}
	return letters(n/26-1) + string(rune('A'+n%26))
}

// A variant says how a copy is made.
type variant struct {
	play    string          // "Expect", "Try"
	orders  string          // an expression
	within  string          // an option of the order, "" for none
	events  map[string]bool // those that stand in it; nil: all
	imports []named         // more of them
	comment string
	bubble  bool              // it runs in a bubble, which the test does not
	clock   string            // the directive that bubbles need
	names   map[string]string // new names of events
}

// source is a copy of the test.
func (c *copied) source(v variant) ([]byte, error) {
	before, body, after := c.body(c.events(v))
	option := ""
	if v.within != "" {
		option = ", order.Within(" + v.within + ")"
	}
	text := fmt.Sprintf("%sorder.%s(%s, %s, func(%s *testing.T) {\n%s}%s)\n%s", before, v.play, c.param, v.orders, c.param, body, option, after)
	imports := v.imports
	if v.bubble {
		text = fmt.Sprintf("synctest.Test(%s, func(%s *testing.T) {\n%s})\n", c.param, c.param, text)
		imports = append(slices.Clone(imports), named{"", synctestPath})
	}
	source, err := c.testFile(append(slices.Clone(imports), named{"", c.order}), v.comment, text)
	return append([]byte(v.clock), source...), err
}

// testFile is a file with a test that has a text as its body.
func (c *copied) testFile(imports []named, words, body string) ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n", c.file.AST.Name.Name)
	imports = append(slices.Clone(c.uses), imports...)
	if !slices.ContainsFunc(imports, func(n named) bool { return n.path == "testing" }) {
		imports = append(imports, named{"", "testing"})
	}
	slices.SortFunc(imports, func(a, b named) int { return strings.Compare(a.path, b.path) })
	for _, standard := range []bool{true, false} {
		for _, n := range slices.Compact(imports) {
			first, _, _ := strings.Cut(n.path, "/")
			if isStandard := !strings.Contains(first, ".") && n.path != c.order; isStandard == standard {
				fmt.Fprintf(&b, "\t%s %q\n", n.name, n.path)
			}
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, ")\n\n%sfunc %s(%s *testing.T) {\n%s}\n", comment(words), c.name, c.decl.Type.Params.List[0].Names[0].Name, body)
	return format.Source([]byte(b.String()))
}

// comment is a text as a comment.
func comment(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRightFunc("// "+line, unicode.IsSpace) + "\n")
	}
	return b.String()
}

// An insertion is a text that a copy has besides.
type insertion struct {
	offset int
	text   string
	end    bool // at the end of a block, which may be in one line
}

// events are the calls of At of a variant.
func (c *copied) events(v variant) (list []insertion) {
	for i, s := range c.spots {
		text := ""
		for _, e := range []string{arrival(i), departure(i)} {
			if v.events != nil && !v.events[e] {
				continue
			}
			if name := v.names[e]; name != "" {
				e = name
			}
			text += "order.At(" + strconv.Quote(e) + ")\n"
		}
		if text != "" {
			list = append(list, insertion{s.offset, text, s.end})
		}
	}
	return list
}

// body is the text of what is done within the order, with insertions in the order of the source, and of
// what the test's body has around it.
func (c *copied) body(list []insertion) (before, body, after string) {
	from, to := c.offset(c.inner.Lbrace)+1, c.offset(c.inner.Rbrace)
	var b strings.Builder
	at := from
	for _, s := range list {
		b.Write(c.file.Source[at:s.offset])
		if s.end {
			b.WriteString("\n")
		}
		b.WriteString(s.text)
		at = s.offset
	}
	b.Write(c.file.Source[at:to])
	body = strings.TrimLeftFunc(b.String(), unicode.IsSpace)
	if c.inner == c.decl.Body {
		return "", c.serial(body), ""
	}
	before = string(c.file.Source[c.offset(c.decl.Body.Lbrace)+1 : from])
	after = string(c.file.Source[to:c.offset(c.decl.Body.Rbrace)])
	return c.serial(strings.TrimLeftFunc(before, unicode.IsSpace)) + "\n", body, after
}

func (c *copied) offset(pos token.Pos) int { return c.fset.Position(pos).Offset }

// serial leaves the test's own t.Parallel() out.
func (c *copied) serial(body string) string {
	for _, s := range c.decl.Body.List {
		if isParallel(s) {
			call := string(c.file.Source[c.fset.Position(s.Pos()).Offset:c.fset.Position(s.End()).Offset])
			before, after, _ := strings.Cut(body, call)
			body = before + strings.TrimLeftFunc(strings.TrimPrefix(after, ";"), unicode.IsSpace)
		}
	}
	return body
}
