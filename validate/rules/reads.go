package rules

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
)

// People rewrite: they ask for a copy in one call instead of three. So of a patch that
// somebody has made, a call that is gone is no work if the function only reads: it
// changes nothing that others see. What was done with its result is an effect by itself.

// onlyReads says of functions, by their keys, whether they only read. It is not safe for
// concurrent use.
type onlyReads struct {
	decls map[string]declared
	known map[string]reading
}

// A declared function.
type declared struct {
	node *ast.FuncDecl
	info *types.Info
}

// A reading is what a function does to memory that it has not made itself.
type reading int

const (
	alters reading = iota // or nobody knows
	fills                 // what it is given as an argument alone
	reads                 // nothing
)

// newOnlyReads looks at the functions of a program.
func newOnlyReads(p *analysis.Program) *onlyReads {
	r := &onlyReads{decls: map[string]declared{}, known: map[string]reading{}}
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil {
					if fn, ok := pkg.Info.Defs[decl.Name].(*types.Func); ok {
						r.decls[callKey+methodName(fn)] = declared{decl, pkg.Info}
					}
				}
			}
		}
	}
	return r
}

// pure are packages whose functions (not methods) only read, but for those named.
var pure = map[string][]string{
	"strings": nil, "strconv": nil, "math": nil, "unicode": nil, "unicode/utf8": nil, "cmp": nil, "errors": {"As"},
	"slices": {"Sort", "SortFunc", "SortStableFunc", "Reverse", "Delete", "DeleteFunc", "Insert", "Replace", "Compact", "CompactFunc"},
	"maps":   {"Copy", "DeleteFunc", "Insert"},
}

// replaces are functions whose result takes the place of what they are given: to assign it is
// what they are called for.
var replaces = map[string]bool{
	"slices.Delete": true, "slices.DeleteFunc": true, "slices.Insert": true, "slices.Replace": true,
	"slices.Compact": true, "slices.CompactFunc": true,
}

// without reports whether leaving out a call of a function, with these effects, leaves
// out no work.
func (r *onlyReads) without(key string, calls []effect) bool {
	if r == nil || !strings.HasPrefix(key, callKey) {
		return false
	}
	if replaces[strings.TrimPrefix(key, callKey)] {
		return true
	}
	switch r.of(key) {
	case reads:
		return true
	case fills:
		return !slices.ContainsFunc(calls, func(d effect) bool { return !d.confined })
	}
	return false
}

// of is what a function does. One that calls itself is taken to change things.
func (r *onlyReads) of(key string) reading {
	if known, ok := r.known[key]; ok {
		return known
	}
	r.known[key] = alters
	name := strings.TrimPrefix(key, callKey)
	if strings.HasPrefix(name, "fmt.Sprint") || name == "fmt.Errorf" {
		r.known[key] = reads
	}
	if at := strings.LastIndex(name, "."); at > 0 {
		if but, ok := pure[name[:at]]; ok && !slices.Contains(but, name[at+1:]) {
			r.known[key] = reads
		}
	}
	if d, ok := r.decls[key]; ok {
		r.known[key] = r.body(d)
	}
	return r.known[key]
}

// body reads a function's body.
func (r *onlyReads) body(d declared) reading {
	does := reads
	lower := func(to reading) { does = min(does, to) }
	ast.Inspect(d.node.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt, *ast.FuncLit:
			lower(alters)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				lower(alters)
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				lower(d.assigns(e))
			}
		case *ast.IncDecStmt:
			lower(d.assigns(n.X))
		case *ast.CallExpr:
			lower(r.call(d, n))
		}
		return does != alters
	})
	return does
}

// assigns is what an assignment to an expression does.
func (d declared) assigns(e ast.Expr) reading {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj := d.info.ObjectOf(e)
		if e.Name == "_" || obj != nil && d.node.Pos() <= obj.Pos() && obj.Pos() < d.node.End() {
			return reads
		}
	case *ast.IndexExpr:
		return d.writes(e.X)
	}
	return alters
}

// writes is what it does to write elements of a value.
func (d declared) writes(e ast.Expr) reading {
	for {
		slice, ok := ast.Unparen(e).(*ast.SliceExpr)
		if !ok {
			break
		}
		e = slice.X
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || d.node.Type.Params == nil {
		return alters
	}
	obj := d.info.ObjectOf(id)
	if obj != nil && d.node.Type.Params.Pos() <= obj.Pos() && obj.Pos() < d.node.Type.Params.End() {
		return fills
	}
	return alters // a local list may be another's
}

// call is what a call inside a function does.
func (r *onlyReads) call(d declared, call *ast.CallExpr) reading {
	if d.info.Types[call.Fun].IsType() {
		return reads
	}
	c := effectCollector{info: d.info}
	switch callee := c.callee(call).(type) {
	case *types.Builtin:
		switch callee.Name() {
		case "len", "cap", "make", "new", "min", "max", "panic", "real", "imag", "complex":
			return reads
		case "copy":
			return d.writes(call.Args[0])
		}
	case *types.Func:
		if lockMethod(callee) {
			return reads
		}
		if r.of(callKey+methodName(callee)) == reads {
			return reads
		}
	}
	return alters
}

// lockMethod recognises the methods of locks.
func lockMethod(fn *types.Func) bool {
	switch fn.Name() {
	case "Lock", "Unlock", "RLock", "RUnlock":
		return isPackage(fn, "sync")
	}
	return false
}
