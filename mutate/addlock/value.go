package addlock

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
)

// valueFirst is the form of the edits whose section begins with an assignment of what a call returns: the call is
// made before the section.
const valueFirst = "value"

// A valued is an assignment of what a call returns.
type valued struct {
	assign *ast.AssignStmt
	call   *ast.CallExpr
	names  []string // of variables for the results, as far as they are wanted
}

// valueEdits lists these edits of some statements, with each lock.
func valueEdits(fn *mutate.Function, st mutate.Statement, count int) []mutate.Edit {
	if valuedOf(fn, st.Stmt) == nil {
		return nil
	}
	out := editsOf(fn, st, count)
	for i := range out {
		out[i].Form = valueFirst
	}
	return out
}

// valuedOf is the call of a statement that assigns its results, or appends them, to what is shared, if the call
// itself needs nothing shared and may take long; nil: there is none.
func valuedOf(fn *mutate.Function, s ast.Stmt) *valued {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok == token.DEFINE || len(a.Rhs) != 1 {
		return nil
	}
	v := &valued{assign: a}
	rhs := ast.Unparen(a.Rhs[0])
	call, ok := rhs.(*ast.CallExpr)
	if !ok {
		return nil
	}
	targets := a.Lhs
	if syntax.Builtin(fn.File.Package.Info, call) == "append" && len(call.Args) == 2 {
		list := call.Args[0]
		if call, ok = ast.Unparen(call.Args[1]).(*ast.CallExpr); !ok || len(a.Lhs) != 1 || types.ExprString(list) != types.ExprString(a.Lhs[0]) {
			return nil
		}
		targets = []ast.Expr{&ast.IndexExpr{X: list, Index: list}} // an element of it
	}
	if !takesLong(fn, call) || len(fn.Changing(&ast.ExprStmt{X: call})) > 0 {
		return nil
	}
	for _, lhs := range a.Lhs { // what is assigned to is found before the call is made, or after it
		if syntax.Any(lhs, func(n ast.Node) bool { c, is := n.(*ast.CallExpr); return is && isCall(fn, c) }) {
			return nil
		}
	}
	v.call = call
	taken := map[string]bool{}
	for _, t := range targets {
		name := valueName(fn, t)
		for taken[name] {
			name += "2"
		}
		taken[name] = name != "_"
		v.names = append(v.names, name)
	}
	return v
}

// isCall reports whether a call is one of a function: no conversion, no builtin.
func isCall(fn *mutate.Function, call *ast.CallExpr) bool {
	return !fn.File.Package.Info.Types[call.Fun].IsType() && syntax.Builtin(fn.File.Package.Info, call) == ""
}

// takesLong reports whether a call may: it is of the program's code, of a function value or an interface, or may wait.
func takesLong(fn *mutate.Function, call *ast.CallExpr) bool {
	if !isCall(fn, call) {
		return false
	}
	if _, lit := ast.Unparen(call.Fun).(*ast.FuncLit); lit {
		return false
	}
	f := syntax.Callee(fn.File.Package.Info, call.Fun)
	if f == nil || fn.Declared(f.Origin()) != nil || fn.MayWait(call) {
		return true
	}
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// valueName is a free name for what becomes the value of a variable.
func valueName(fn *mutate.Function, e ast.Expr) string {
	name := ""
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if e.Name == "_" {
			return "_"
		}
		name = "new" + upper(e.Name)
	case *ast.SelectorExpr:
		name = lower(e.Sel.Name)
	case *ast.IndexExpr:
		of := syntax.Variable(fn.File.Package.Info, e.X)
		if of != nil {
			name = singular(lower(of.Name()))
		}
	}
	if !token.IsIdentifier(name) {
		name = "value"
	}
	return scope.FreeName(fn, name)
}

func upper(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

func lower(name string) string {
	if strings.ToUpper(name) == name {
		return strings.ToLower(name)
	}
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[size:]
}

// singular is what one of several is called.
func singular(name string) string {
	switch {
	case len(name) > 4 && strings.HasSuffix(name, "ies"):
		return strings.TrimSuffix(name, "ies") + "y"
	case len(name) > 3 && strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss"):
		return strings.TrimSuffix(name, "s")
	}
	return "value"
}

// callFirst makes the call of an edit's statement before it.
func callFirst(m *mutate.Mutation, fn *mutate.Function, e mutate.Edit) error {
	stmt, _ := m.Syntax(e.File, e.Node).(ast.Stmt)
	v := valuedOf(fn, stmt)
	if v == nil {
		return mutate.Refuse(e, "nothing that is called is assigned here")
	}
	at := m.Stmt(e.File, e.Node)
	call, ok := m.Of(e.File, v.call).(dst.Expr)
	if at == nil || !ok {
		return mutate.Refuse(e, "another edit removed the call")
	}
	assign, ok := at.(*dst.AssignStmt)
	if !ok || len(assign.Lhs) != len(v.assign.Lhs) {
		return mutate.Refuse(e, "another edit changed the assignment")
	}
	define := &dst.AssignStmt{Tok: token.DEFINE, Rhs: []dst.Expr{call}}
	var targets, values []dst.Expr
	for i, name := range v.names {
		define.Lhs = append(define.Lhs, dst.NewIdent(name))
		if name != "_" {
			targets, values = append(targets, assign.Lhs[i]), append(values, dst.NewIdent(name))
		}
	}
	if ast.Expr(v.call) == ast.Unparen(v.assign.Rhs[0]) {
		assign.Lhs, assign.Rhs = targets, values
	} else if err := m.Replace(e.File, call, values[0]); err != nil {
		return err
	}
	return m.Insert(e.File, at, false, define)
}
