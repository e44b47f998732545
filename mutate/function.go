package mutate

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate/internal/tree"
)

// A Function is one function of the original source with what operators need
// to know of it. A function literal is a Function of its own; the functions
// around and inside it do not count its statements as theirs.
type Function struct {
	Program   *analysis.Program
	Narrowing *Narrowed
	File      *analysis.File
	Node      ast.Node // *ast.FuncDecl or *ast.FuncLit
	Name      string   // "(*Account).Transfer", "(*Account).Run.func1"
	Type      *ast.FuncType
	Body      *ast.BlockStmt

	original func() *tree.Original
	unit     *unit  // the declaration around it
	index    *index // of the whole program; see Users
	space    *Space
	facts    *known // see Fact; nil: nothing is remembered of it
}

// A Statement is one statement of a statement list: a block, or the body of a case or comm clause.
type Statement struct {
	Stmt  ast.Stmt
	List  []ast.Stmt // the list it is in
	Index int        // its place there
	Owner ast.Node   // *ast.BlockStmt, *ast.CaseClause or *ast.CommClause
}

// listFunctions lists the functions of a file with bodies, in source order.
func (s *Space) listFunctions(f *analysis.File) []*Function {
	var out []*Function
	original := s.trees.Later(f)
	syntax.Functions(f, func(node ast.Node, typ *ast.FuncType, body *ast.BlockStmt, name string) {
		fn := &Function{
			Program: s.program, Narrowing: s.narrowing, File: f, Node: node, Name: name,
			Type: typ, Body: body, original: original, index: s.index, space: s, facts: new(known),
		}
		fn.unit = s.narrowing.on(f, fn.line(node.Pos()), fn.line(node.Pos()))[0]
		fn.unit.functions = append(fn.unit.functions, fn)
		out = append(out, fn)
	})
	return out
}

// ID is the NodeID of a syntax node: its ordinal in the pre-order walk of the
// original file's tree.
func (fn *Function) ID(n ast.Node) int {
	id, ok := fn.original().ID(n)
	if !ok {
		panic(fmt.Sprintf("mutate: %T is not a node of %s", n, fn.File.Rel))
	}
	return id
}

// Statements lists the function's statements in source order, nested ones after their
// parents. The list is remembered and must not be changed.
func (fn *Function) Statements() []Statement { return slices.Clip(statements.Of(fn)) }

var statements = NewFact((*Function).findStatements)

func (fn *Function) findStatements() []Statement {
	var out []Statement
	each := func(list []ast.Stmt, owner ast.Node) {
		for i, s := range list {
			out = append(out, Statement{Stmt: s, List: list, Index: i, Owner: owner})
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			each(n.List, n)
		case *ast.CaseClause:
			each(n.Body, n)
		case *ast.CommClause:
			each(n.Body, n)
		}
		return true
	})
	slices.SortStableFunc(out, func(a, b Statement) int { return fn.ID(a.Stmt) - fn.ID(b.Stmt) })
	// The cases of a switch are statements of its block but no place for a call.
	out = slices.DeleteFunc(out, func(s Statement) bool { return syntax.IsClause(s.Stmt) })
	return slices.Clone(out) // no larger than it is
}

// Innermost is the last of some statements, outer ones first as Statements has
// them, around a node; the zero Statement if there is none.
func Innermost(statements []Statement, n ast.Node) (found Statement) {
	pos, end := n.Pos(), n.End()
	behind, _ := slices.BinarySearchFunc(statements, pos+1, func(s Statement, pos token.Pos) int { return int(s.Stmt.Pos() - pos) })
	for _, s := range slices.Backward(statements[:behind]) {
		if end <= s.Stmt.End() {
			return s
		}
	}
	return found
}

// NewEdit starts an edit at a node: file, line, function, NodeID, the names of
// the shared variables in the covered statements, and the heat are filled in.
//
// The heat is that of the hottest line covered, or of the edit's own line
// where nothing is. Each line more than one takes a hundredth off, so that of
// two edits near the evidence the narrower is tried first. The reach is that of
// the lines covered.
func (fn *Function) NewEdit(operator string, at ast.Node, covered ...ast.Stmt) Edit {
	e := Edit{
		Operator: operator,
		File:     fn.File.Rel,
		Line:     fn.line(at.Pos()),
		Func:     fn.Name,
		Node:     fn.ID(at),
	}
	heat, lines := fn.Narrowing.Heat(fn.File.Name, e.Line), 0
	for _, s := range covered {
		for _, a := range fn.Accesses(s) {
			if name := fn.index.name(a.Var); !slices.Contains(e.Vars, name) {
				e.Vars = append(e.Vars, name)
			}
		}
		first, last := fn.line(s.Pos()), fn.line(s.End()-1)
		heat = max(heat, fn.Narrowing.Hottest(fn.File, first, last))
		e.races = e.races.With(fn.Narrowing.Reach(fn.File, first, last))
		lines += last - first + 1
	}
	e.Heat = heat * (1 - min(0.01*float64(max(lines-1, 0)), 0.3))
	if len(covered) > 0 {
		e.Reach = e.races.Share()
	}
	slices.Sort(e.Vars)
	return e
}

// Accesses lists the uses of shared variables in some statements, in source
// order; those of function literals inside are not among them, nor reads of the
// length of a slice that is only made once. The list must not be changed.
func (fn *Function) Accesses(stmts ...ast.Stmt) []analysis.Access {
	if fn.unit != nil {
		fn.Narrowing.unit(fn.unit.number)
	}
	if len(stmts) == 1 {
		return slices.Clip(fn.accessesIn(stmts[0]))
	}
	var out []analysis.Access
	for _, s := range stmts {
		out = append(out, fn.accessesIn(s)...)
	}
	return out
}

// Changing is [Function.Accesses] without those of variables that keep the value which
// they were made with, and so need no lock.
func (fn *Function) Changing(stmts ...ast.Stmt) []analysis.Access {
	return slices.DeleteFunc(slices.Clone(fn.Accesses(stmts...)), func(a analysis.Access) bool {
		return !a.Write && fn.index.immutable(a.Var)
	})
}

// accessesIn are those in one statement.
func (fn *Function) accessesIn(s ast.Stmt) []analysis.Access {
	if !fn.Owns(s) {
		return fn.index.accesses(fn.File, s)
	}
	uses := fn.Program.Uses(fn.File, fn.Node)
	shared := func(uses []analysis.Access) []analysis.Access {
		return fn.index.unguarded(fn.Narrowing.narrowing.SharedAmong(uses))
	}
	if fn.Narrowing.asking.Load() == nil {
		return shared(usesWithin(uses, s))
	}
	// Operators that list their edits ask for the same statements often, and the
	// narrowing does not grow meanwhile.
	known, ok := fn.Narrowing.accesses.Load(fn)
	if !ok {
		known = shared(uses)
		fn.Narrowing.accesses.Store(fn, known)
	}
	return usesWithin(known.([]analysis.Access), s)
}

// Users names the functions of the program, this one and quiet ones left out,
// that write and that read a shared variable, in source order.
func (fn *Function) Users(v *types.Var) (writers, readers []string) {
	u := fn.index.users(v)
	others := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == fn.Name })
	}
	return others(u.writers), others(u.readers)
}

// UsedElsewhere reports whether [Function.Users] has writers and readers to name.
func (fn *Function) UsedElsewhere(v *types.Var) (written, read bool) {
	u := fn.index.users(v)
	other := func(name string) bool { return name != fn.Name }
	return slices.ContainsFunc(u.writers, other), slices.ContainsFunc(u.readers, other)
}

// Text is what stands at a node of the function's file.
func (fn *Function) Text(n ast.Node) string {
	return string(fn.File.Source[n.Pos()-fn.File.AST.FileStart : n.End()-fn.File.AST.FileStart])
}

func (fn *Function) line(p token.Pos) int {
	return fn.Program.Fset.PositionFor(p, false).Line
}

// VarName is what the narrowing calls a variable, "Account.amount".
func (fn *Function) VarName(v *types.Var) string { return fn.index.name(v) }

// GroupOf is a name for the group of edits that are for one object, which no other
// object of the program has.
func GroupOf(o types.Object) string { return fmt.Sprint(o.Name(), " ", o.Pos()) }

// Immutable reports whether a variable keeps the value that it was made with.
func (fn *Function) Immutable(v *types.Var) bool { return fn.index.immutable(v) }

// Lists are the statement lists in a statement: see [syntax.Lists].
func Lists(s ast.Stmt) [][]ast.Stmt { return syntax.Lists(s) }

// owns reports whether a statement is in the function's own text, and not in that
// of a function literal in it.
func (fn *Function) Owns(s ast.Stmt) bool { return fn.facts != nil && ownStatements.Of(fn).has(s) }

var ownStatements = NewFact(func(fn *Function) ordered {
	var own ordered
	syntax.WalkOwn(fn.Body, func(n ast.Node, _ []ast.Node) {
		if s, ok := n.(ast.Stmt); ok {
			own = append(own, s)
		}
	})
	return slices.Clone(own) // no larger than it is
})

// ordered are statements in source order. It takes less memory than a set.
type ordered []ast.Stmt

func (o ordered) has(s ast.Stmt) bool {
	pos := s.Pos()
	i, _ := slices.BinarySearchFunc(o, pos, func(s ast.Stmt, pos token.Pos) int { return cmp.Compare(s.Pos(), pos) })
	for ; i < len(o) && o[i].Pos() == pos; i++ {
		if o[i] == s {
			return true
		}
	}
	return false
}

// usesWithin are those of some uses, in source order, that stand in a node.
func usesWithin(uses []analysis.Access, n ast.Node) []analysis.Access {
	first, _ := slices.BinarySearchFunc(uses, n.Pos(), func(a analysis.Access, pos token.Pos) int { return cmp.Compare(a.Expr.Pos(), pos) })
	last := first
	for last < len(uses) && uses[last].Expr.Pos() < n.End() {
		last++
	}
	return uses[first:last]
}

// decl is the declared function around a function, itself included; nil for
// the literals of package variables.
func (fn *Function) Decl() *ast.FuncDecl { return enclosing.Of(fn) }

var enclosing = NewFact(func(fn *Function) *ast.FuncDecl {
	for _, d := range fn.File.AST.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Pos() <= fn.Node.Pos() && fn.Node.End() <= fd.End() {
			return fd
		}
	}
	return nil
})

// Loops reports whether a node of the function's own is inside a loop of it.
func (fn *Function) Loops(n ast.Node) bool {
	return slices.ContainsFunc(loopBodies.Of(fn), func(body *ast.BlockStmt) bool {
		return body.Pos() <= n.Pos() && n.End() <= body.End()
	})
}

// loopBodies are those of a function's own loops.
var loopBodies = NewFact(func(fn *Function) []*ast.BlockStmt {
	var bodies []*ast.BlockStmt
	syntax.WalkOwn(fn.Body, func(n ast.Node, _ []ast.Node) {
		switch loop := n.(type) {
		case *ast.ForStmt:
			bodies = append(bodies, loop.Body)
		case *ast.RangeStmt:
			bodies = append(bodies, loop.Body)
		}
	})
	return bodies
})
