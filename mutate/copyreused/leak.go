package copyreused

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/mutate/internal/lending"
)

// A leak is an owner of memory that is used again, with the places that hand it over.
type leak struct {
	owner  *types.Var // the pool, list, buffer or reader
	places []*place
}

func (l *leak) has(e ast.Expr) bool {
	return slices.ContainsFunc(l.places, func(p *place) bool { return p.expr == e })
}

// A place is an expression to be copied.
type place struct {
	file      *analysis.File
	function  string // of the declaration around it
	expr      ast.Expr
	stmt      ast.Stmt // of a statement list
	commented ast.Node // where the comment goes: the statement, or the case of a select statement
	lender    *lending.Lender
	pkg       string // whose Clone copies it; "": a variable does, called fresh
	fresh     string
	fields    []fieldCopy    // of the struct in the variable
	address   bool           // of the variable is what goes on
	near      []lending.Span // where the memory is used
}

func (p *place) note() string { return "a copy: " + p.lender.Why }

// leaksKey is the key under which the leaks of a program are remembered.
type leaksKey struct{}

// leaks lists the leaks of a program, and their places in source order.
func leaks(program *analysis.Program, owners *lending.Owners) []*leak {
	var all []*leak
	for _, pkg := range program.Packages {
		for _, f := range pkg.Files {
			if f.Test {
				continue
			}
			for _, d := range f.AST.Decls {
				if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil {
					for _, p := range places(lending.Find(owners, f, decl)) {
						all = put(all, p)
					}
				}
			}
		}
	}
	for _, l := range all {
		slices.SortFunc(l.places, func(a, b *place) int { return cmp.Compare(a.expr.Pos(), b.expr.Pos()) })
	}
	return all
}

// put adds a place to the leak of its owner.
func put(all []*leak, p *place) []*leak {
	i := slices.IndexFunc(all, func(l *leak) bool { return l.owner == p.lender.Owner })
	if i < 0 {
		return append(all, &leak{owner: p.lender.Owner, places: []*place{p}})
	}
	if !all[i].has(p.expr) {
		all[i].places = append(all[i].places, p)
	}
	return all
}
