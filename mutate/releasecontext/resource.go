package releasecontext

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
)

// A resource is what a statement makes and somebody must release.
type resource struct {
	call  string       // that releases it: "cancel()"
	owner types.Object // the variable it is in or of; nil: none yet
	field string       // of the owner, which holds the function that releases; or ""
	typ   types.Type   // of the value; nil: a context
	made  ast.Stmt
	form  string
	plain ast.Stmt // release to move, of form move
	given bool     // passed to a call, which may keep it
}

// releases are the methods that release, the usual ones first.
var releases = []string{"Close", "Stop", "Cancel", "Rollback", "Release", "Shutdown"}

// makers are beginnings of the names of functions whose result is the caller's.
var makers = []string{"new", "open", "dial", "start", "begin", "create", "listen", "connect", "watch", "subscribe", "acquire"}

// made is what a statement makes; ok is false if it makes nothing to release.
func made(fn *mutate.Function, st mutate.Statement) (r resource, ok bool) {
	switch s := st.Stmt.(type) {
	case *ast.ExprStmt:
		return kept(fn, s)
	case *ast.AssignStmt:
		if len(s.Rhs) != 1 {
			return resource{}, false
		}
		if call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr); ok && len(s.Lhs) == 2 {
			if arg, is := cancelArgument(fn, call); is {
				return cancelled(fn, s, arg)
			}
		}
		return value(fn, s)
	}
	return resource{}, false
}

// cancelArgument reports whether a call makes a context that is to be cancelled,
// and what its function is called with.
func cancelArgument(fn *mutate.Function, call *ast.CallExpr) (arg string, ok bool) {
	f := syntax.Callee(fn.File.Package.Info, call.Fun)
	if f == nil || f.Pkg() == nil {
		return "", false
	}
	switch f.FullName() {
	case "context.WithCancel", "context.WithTimeout", "context.WithDeadline", "os/signal.NotifyContext":
		return "", true
	case "context.WithCancelCause":
		return "nil", true
	case "context.WithTimeoutCause", "context.WithDeadlineCause":
		return "", true
	}
	return "", false
}

// cancelled is a context whose function is assigned to a variable or field, or to _.
func cancelled(fn *mutate.Function, s *ast.AssignStmt, arg string) (resource, bool) {
	r := resource{made: s}
	switch to := ast.Unparen(s.Lhs[1]).(type) {
	case *ast.Ident:
		if to.Name == "_" {
			r.form = formName
			r.call = scope.FreeName(fn, "cancel") + "(" + arg + ")"
			return r, s.Tok == token.DEFINE
		}
		r.owner = fn.File.Package.Info.ObjectOf(to)
	case *ast.SelectorExpr:
		if _, simple := ast.Unparen(to.X).(*ast.Ident); !simple {
			return r, false
		}
		r.owner, r.field = fn.Path(to.X).Root, to.Sel.Name
	default:
		return r, false
	}
	r.call = types.ExprString(s.Lhs[1]) + "(" + arg + ")"
	return r, local(fn, r.owner)
}

// local reports whether a variable is declared in the function's body.
func local(fn *mutate.Function, o types.Object) bool {
	return o != nil && fn.Body.Pos() <= o.Pos() && o.Pos() < fn.Body.End()
}

// value is a value with a method that releases it.
func value(fn *mutate.Function, s *ast.AssignStmt) (resource, bool) {
	id, ok := s.Lhs[0].(*ast.Ident)
	if !ok || id.Name == "_" || s.Tok != token.DEFINE || !makes(fn, s.Rhs[0]) {
		return resource{}, false
	}
	v := fn.File.Package.Info.ObjectOf(id)
	if v == nil || !local(fn, v) {
		return resource{}, false
	}
	call, ok := release(fn, v.Type(), id.Name)
	return resource{call: call, owner: v, typ: v.Type(), made: s}, ok
}

// makes reports whether an expression gives a new value that is the function's own.
func makes(fn *mutate.Function, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		_, lit := ast.Unparen(e.X).(*ast.CompositeLit)
		return e.Op == token.AND && lit
	case *ast.CallExpr:
		f := syntax.Callee(fn.File.Package.Info, e.Fun)
		if f == nil {
			return false
		}
		name := strings.ToLower(f.Name())
		return slices.ContainsFunc(makers, func(m string) bool { return strings.HasPrefix(name, m) })
	}
	return false
}

// kept is the value that a call returns and nobody takes.
func kept(fn *mutate.Function, s *ast.ExprStmt) (resource, bool) {
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok || !makes(fn, call) {
		return resource{}, false
	}
	t := fn.File.Package.Info.TypeOf(call)
	if t == nil {
		return resource{}, false
	}
	name := scope.FreeName(fn, nameOf(t))
	text, ok := release(fn, t, name)
	return resource{call: text, typ: t, made: s, form: formKeep}, ok
}

// nameOf is a variable's name for a value of a type: that of the type, begun
// in lower case, up to an underscore.
func nameOf(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return "v"
	}
	name, _, _ := strings.Cut(named.Obj().Name(), "_")
	if name == "" {
		return "v"
	}
	lower := strings.ToLower(name[:1]) + name[1:]
	if name == strings.ToUpper(name) {
		lower = strings.ToLower(name)
	}
	if token.IsKeyword(lower) || types.Universe.Lookup(lower) != nil {
		return "v"
	}
	return lower
}

// release is the call of the method that releases a value with a name.
func release(fn *mutate.Function, t types.Type, name string) (call string, ok bool) {
	for _, exported := range []bool{true, false} {
		for _, method := range releases {
			if !exported {
				method = strings.ToLower(method)
			}
			found, _, _ := types.LookupFieldOrMethod(t, true, fn.File.Package.Types, method)
			f, ok := found.(*types.Func)
			if !ok || !exported && f.Pkg() != fn.File.Package.Types {
				continue
			}
			switch params := f.Signature().Params(); {
			case params.Len() == 0:
				return name + "." + method + "()", true
			case params.Len() == 1 && types.Identical(params.At(0).Type(), types.Universe.Lookup("error").Type()):
				return name + "." + method + "(nil)", true
			}
		}
	}
	return "", false
}

// isRelease reports whether a name is that of a method or field that releases.
func isRelease(name string) bool {
	return slices.ContainsFunc(releases, func(r string) bool { return strings.EqualFold(r, name) })
}
