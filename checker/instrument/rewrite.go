package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"mendel/analysis"
	"mendel/checker/instrument/effects"
	"mendel/internal/rewrite/operations"
)

// A rewriter rewrites one file. Every method that returns text returns that of a
// node with everything below it rewritten: nested replacements are composed from
// the inside out. Line breaks stay where they are. Where text must move, line
// directives keep its position.
type rewriter struct {
	fset       *token.FileSet
	tokens     *token.File
	src        []byte
	info       *types.Info
	pkg        *types.Package
	facts      *facts
	table      *effects.Table      // what calls of the library do
	ns         *analysis.Narrowing // nil: the syntactic rule alone
	silent     bool                // no access is reported: of a dependency that nobody named, in a function that is excluded, or where what orders accesses is not seen
	rt         string              // name of the import of package sched
	temp       string              // what names of new variables begin with
	temps      int
	loopvar    bool                       // Go 1.22 and later: each iteration has variables of its own
	used       bool                       // package sched was used
	driver     string                     // name of the import of package driver
	driven     bool                       // package driver was used
	shims      map[string]bool            // that replace only some of a package and were used: "net"
	tests      bool                       // the file has to do with tests: it is one, or imports testing
	methods    methods                    // of package driver
	names      map[types.Object]string    // new ones, of functions
	linked     map[string]string          // functions of the package that are the runtime's, see linkedIn
	kept       []string                   // what replaced uses of imports named, to keep these used
	calls      map[*ast.SelectorExpr]bool // that are called where they stand
	deferred   map[*ast.CallExpr]bool     // of defer statements
	header     map[ast.Stmt]bool          // simple statements in the header of if, for, switch
	targets    map[string]bool            // labels that a goto of the current function names
	within     bool                       // a statement that forgets, see forgetting
	results    *ast.FieldList             // of the current function
	called     ast.Expr                   // function of the call that is being rewritten, until another one is
	outcome    *outcome                   // of the current function
	outcomes   map[*ast.FuncType]*outcome
	crosses    func(*ast.CallExpr) (reason string, shares bool)
	foreign    func(*ast.CallExpr) *types.Var // see Instrumenter.foreign
	unseen     func(*types.Func) string       // see Instrumenter.unseen
	controlled func(path string) bool         // reports whether a package is rewritten
	network    bool                           // sockets are in memory
	ofLibrary  bool                           // the file is one of the standard library
	report     func(token.Pos, string)
}

// A part is replacement text for a stretch of the source.
type part struct {
	from, to token.Pos
	text     string
}

// raw is the source of a node as it was.
func (r *rewriter) raw(n ast.Node) string { return r.between(n.Pos(), n.End()) }

func (r *rewriter) between(from, to token.Pos) string {
	return string(r.src[r.tokens.Offset(from):r.tokens.Offset(to)])
}

// splice is the source from one position to another with some parts replaced.
// Parts are in source order and do not overlap.
func (r *rewriter) splice(from, to token.Pos, parts ...part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(r.between(from, p.from))
		b.WriteString(p.text)
		from = p.to
	}
	b.WriteString(r.between(from, to))
	return b.String()
}

// generic rewrites the direct children of a node, whatever it is.
func (r *rewriter) generic(n ast.Node) string {
	var parts []part
	ast.Inspect(n, func(c ast.Node) bool {
		if c == n {
			return true
		}
		switch c := c.(type) {
		case ast.Expr:
			parts = append(parts, part{c.Pos(), c.End(), r.value(c)})
		case ast.Stmt:
			parts = append(parts, part{c.Pos(), c.End(), r.stmt(c)})
		}
		return false
	})
	return r.splice(n.Pos(), n.End(), parts...)
}

// call is a call of a function of package sched.
func (r *rewriter) call(function string, args ...string) string {
	r.used = true
	return r.rt + "." + function + "(" + strings.Join(args, ", ") + ")"
}

// fresh is the name of a new variable.
func (r *rewriter) fresh() string {
	r.temps++
	return r.temp + strconv.Itoa(r.temps)
}

// at is a directive that sets the position of the text after it.
func (r *rewriter) at(pos token.Pos) string {
	p := r.fset.PositionFor(pos, true)
	return fmt.Sprintf("/*line :%d:%d*/", p.Line, p.Column)
}

// moved is the directive for text of one position at the place of text of another:
// none, when they are on one line.
func (r *rewriter) moved(to, from token.Pos) string {
	if r.tokens.Line(to) == r.tokens.Line(from) {
		return ""
	}
	return r.at(to)
}

// object is what an identifier or a qualified identifier names; nil for other expressions.
func (r *rewriter) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return r.info.ObjectOf(e)
	case *ast.SelectorExpr:
		if r.qualified(e) {
			return r.info.Uses[e.Sel]
		}
	}
	return nil
}

// qualified reports whether a selector is a package's name and a name in it.
func (r *rewriter) qualified(e *ast.SelectorExpr) bool {
	id, ok := e.X.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = r.info.Uses[id].(*types.PkgName)
	return ok
}

// builtin is the name of the predeclared function that a call calls; "" for another.
func (r *rewriter) builtin(call *ast.CallExpr) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if b, ok := r.info.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// typeOf is the type of an expression; never nil.
func (r *rewriter) typeOf(e ast.Expr) types.Type {
	if t := r.info.TypeOf(e); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

// kind is the underlying type of a type, see operations.Underlying.
func kind(t types.Type) types.Type { return operations.Underlying(t) }

func isChan(t types.Type) bool { _, ok := kind(t).(*types.Chan); return ok }
func isMap(t types.Type) bool  { _, ok := kind(t).(*types.Map); return ok }

// pointer reports whether a type is a pointer, and what to.
func pointer(t types.Type) (types.Type, bool) {
	p, ok := kind(t).(*types.Pointer)
	if !ok {
		return nil, false
	}
	return p.Elem(), true
}

// pure reports whether an expression may be evaluated twice, and in any order with others.
func (r *rewriter) pure(e ast.Expr) bool { return operations.Pure(r.info, e) }
