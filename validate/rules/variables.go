package rules

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// People rewrite: a field is replaced by another one, two become one, a plain one becomes
// atomic, a channel gives way to a lock. What was done to a variable that a patch removes, or
// gives another type, is done in another way then, which this comparison does not know.

// variables are the types of variables, as text, by keys: fields by their types' names,
// variables of functions by those of the functions, others by their packages'.
type variables map[string][]string

func (v variables) note(key string, t types.Type) {
	if text := types.TypeString(t, nil); !slices.Contains(v[key], text) {
		v[key] = append(v[key], text)
	}
}

// add notes the variables that a file declares.
func (v variables) add(f *analysis.File) {
	info := f.Package.Info
	for _, decl := range f.AST.Decls {
		in := ""
		if fd, ok := decl.(*ast.FuncDecl); ok {
			if fn, ok := info.Defs[fd.Name].(*types.Func); ok {
				in = callKey + methodName(fn)
			}
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				v.fields(info.Defs[n.Name])
			case *ast.Ident:
				if x, ok := info.Defs[n].(*types.Var); ok && !x.IsField() {
					v.note(variableKey(x, in), x.Type())
				}
			}
			return true
		})
	}
}

// fields notes the fields of a struct.
func (v variables) fields(obj types.Object) {
	if obj == nil {
		return
	}
	if s, ok := obj.Type().Underlying().(*types.Struct); ok {
		for field := range s.Fields() {
			v.note(typeName(obj.Type())+"."+field.Name(), field.Type())
		}
	}
}

// variableKey is the key of a variable that is no field, used in a function with a key.
func variableKey(x *types.Var, in string) string {
	if x.Pkg() != nil && x.Parent() == x.Pkg().Scope() {
		return x.Pkg().Path() + "." + x.Name()
	}
	return in + ":" + x.Name()
}

// typeName names a type, or what a pointer leads to; all types of a generic one alike.
func typeName(t types.Type) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		t = n.Origin()
	}
	return types.TypeString(t, nil)
}

// names are the keys of the variables by which what an expression denotes is reached.
func (r *effectCollector) names(e ast.Expr) (keys []string) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			if v, ok := r.info.ObjectOf(x).(*types.Var); ok {
				keys = append(keys, variableKey(v, r.decl))
			}
			return keys
		case *ast.SelectorExpr:
			if s := r.info.Selections[x]; s != nil && s.Kind() == types.FieldVal {
				keys = append(keys, typeName(s.Recv())+"."+x.Sel.Name)
			} else if v, ok := r.info.Uses[x.Sel].(*types.Var); ok {
				return append(keys, variableKey(v, r.decl))
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		default:
			return keys
		}
	}
}

// gone reports whether a patch that somebody has made removes one of some variables, or gives a
// field another type.
func (s *sources) gone(names []string) bool {
	return s.reads != nil && slices.ContainsFunc(names, func(key string) bool {
		was, is := s.before.variables[key], s.after.variables[key]
		return len(was) > 0 && (len(is) == 0 || len(was) == 1 && len(is) == 1 && was[0] != is[0])
	})
}

// A start is where a goroutine is started.
type start struct {
	effect
	// receives are the keys of channels that its literal, or the function that is started,
	// receives from; signals are those that it closes, or of the condition variables whose waiters it wakes, if it
	// does nothing else but wait, and say so in variables.
	receives, signals []string
	feedsTo, feeds    string // see fed
	function          string // that is started; "": a literal, or another value
}

// start describes the goroutine that a call, or what it is given, becomes.
func (r *effectCollector) start(call *ast.CallExpr) start {
	st := start{effect: effect{at: call.Pos(), in: r.decl, certain: true}}
	if fn, ok := r.callee(call).(*types.Func); ok {
		st.what = fn.FullName()
	}
	fun := call.Fun
	if n := len(call.Args); n > 0 {
		if lit, ok := ast.Unparen(call.Args[n-1]).(*ast.FuncLit); ok {
			fun = lit
		}
	}
	if lit, ok := ast.Unparen(fun).(*ast.FuncLit); ok {
		st.receives, st.signals = r.receivesIn(lit.Body), r.signalsIn(lit.Body)
		st.feedsTo, st.feeds = r.fed(lit.Body)
	} else if fn, ok := r.callee(call).(*types.Func); ok {
		st.function = callKey + methodName(fn.Origin())
	}
	return st
}

// receivesIn are the keys of the channels that a body receives from.
func (r *effectCollector) receivesIn(body *ast.BlockStmt) (keys []string) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if r.isChannel(n.X) {
				keys = append(keys, r.names(n.X)...)
			}
		case *ast.RangeStmt:
			if r.isChannel(n.X) {
				keys = append(keys, r.names(n.X)...)
			}
		}
		return true
	})
	return keys
}

func (r *effectCollector) isChannel(e ast.Expr) bool {
	t := r.info.TypeOf(e)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// signalsIn are the keys of the channels that a body closes, and of the condition variables whose waiters it wakes, if
// all else that it does is to wait for a group, to lock, and to set variables of the function around it.
func (r *effectCollector) signalsIn(body *ast.BlockStmt) (keys []string) {
	for _, s := range body.List {
		var e ast.Expr
		switch s := s.(type) {
		case *ast.ExprStmt:
			e = s.X
		case *ast.DeferStmt:
			e = s.Call
		case *ast.AssignStmt:
			if !r.setsOwn(s) {
				return nil
			}
			continue
		}
		call, ok := e.(*ast.CallExpr)
		if !ok {
			return nil
		}
		switch callee := r.callee(call).(type) {
		case *types.Builtin:
			if callee.Name() != "close" {
				return nil
			}
			keys = append(keys, r.names(call.Args[0])...)
		case *types.Func:
			switch callee.FullName() {
			case "(*sync.WaitGroup).Wait", "(*sync.Mutex).Lock", "(*sync.Mutex).Unlock", "(*sync.RWMutex).Lock", "(*sync.RWMutex).Unlock":
			case "(*sync.Cond).Broadcast", "(*sync.Cond).Signal":
				keys = append(keys, r.names(call.Fun.(*ast.SelectorExpr).X)...)
			default:
				return nil
			}
		default:
			return nil
		}
	}
	return keys
}

// setsOwn reports whether an assignment sets variables of a function only, to what needs no call.
func (r *effectCollector) setsOwn(s *ast.AssignStmt) bool {
	own := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := r.info.ObjectOf(id).(*types.Var)
		return ok && !syntax.PackageLevel(v)
	}
	calls := func(e ast.Expr) bool {
		return syntax.Any(e, func(n ast.Node) bool { _, ok := n.(*ast.CallExpr); return ok })
	}
	return !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return !own(e) }) && !slices.ContainsFunc(s.Rhs, calls)
}
