package locks

import (
	"go/ast"
	"go/types"

	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// callables are the functions that an expression may be, as far as they are
// known; left says over how many names and calls that is followed.
func (fr *frame) callables(e ast.Expr, left int) []callable {
	if left == 0 || e == nil {
		return nil
	}
	if list, known := fr.runs[e]; known {
		return list
	}
	list := fr.resolve(e, left)
	if left == naming.MaxAliases {
		if fr.runs == nil {
			fr.runs = make(map[ast.Expr][]callable)
		}
		fr.runs[e] = list
	}
	return list
}

func (fr *frame) resolve(e ast.Expr, left int) []callable {
	info := fr.fn.Info()
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		if fn := fr.m.Of(e); fn != nil {
			return []callable{{fn: fn, names: fr.on.names, bind: fr.bind, consts: fr.consts}}
		}
		return nil
	case *ast.CallExpr:
		return fr.returned(e, left)
	case *ast.Ident:
		if v, ok := info.ObjectOf(e).(*types.Var); ok {
			return fr.held(v, e, left)
		}
	case *ast.SelectorExpr:
		if v, ok := info.ObjectOf(e.Sel).(*types.Var); ok {
			return fr.held(v, e, left)
		}
	}
	f := syntax.Callee(info, e)
	if f == nil {
		return nil
	}
	if op, ok := program.LockMethod(info, e); ok && fr.is(op) == same {
		return []callable{{method: op.Method}}
	}
	var list []callable
	add := func(fn *program.Func) {
		if fn != nil {
			list = append(list, callable{fn: fn, names: append(global(fr.on.names), fr.received(e, fn)...)})
		}
	}
	if !syntax.InterfaceMethod(f) {
		add(fr.m.Declared(f))
		return list
	}
	for _, name := range fr.m.Implementations(fr.fn, e) {
		add(fr.m.Named(name))
	}
	return list
}

// received are the names that a method has for the subject by its receiver.
func (fr *frame) received(e ast.Expr, fn *program.Func) []naming.Path {
	if fn.Recv == nil {
		return nil
	}
	for _, a := range fr.m.Given(fr.fn, &ast.CallExpr{Fun: e}, fn) {
		if a.Obj == fn.Recv {
			return reindexed(translated(fr.on.names, a), []naming.Argument{a})
		}
	}
	return nil
}

// held are the functions that a variable may hold.
func (fr *frame) held(v *types.Var, e ast.Expr, left int) []callable {
	if list, ok := fr.bind[v]; ok {
		return list
	}
	if value := fr.m.LocalsOf(fr.fn).Alias[v]; value != nil {
		return fr.callables(value, left-1)
	}
	key := program.StoreKey(fr.fn.Info(), e)
	if key == "" {
		return nil
	}
	anywhere := subject{fr.on.key, global(fr.on.names)}
	return fr.m.followed(following{at: key, subject: anywhere.id(), left: left}, func(add func(...callable)) {
		for _, s := range fr.m.Stored(key) {
			if s.In != nil {
				there := &frame{m: fr.m, fn: s.In, on: anywhere, behind: naming.MaxAliases - left + 1}
				add(there.callables(s.Expr, left-1)...)
			}
		}
	})
}

// returned are the functions that a call may return.
func (fr *frame) returned(call *ast.CallExpr, left int) []callable {
	if fr.fn.Info().Types[call.Fun].IsType() && len(call.Args) == 1 {
		return fr.callables(call.Args[0], left-1)
	}
	asked := following{at: call, subject: fr.identity(), left: left, behind: fr.behind}
	return fr.m.followed(asked, func(add func(...callable)) {
		for _, c := range fr.callables(call.Fun, left-1) {
			if c.fn == nil {
				continue
			}
			in := fr.into(call, c)
			if in == nil {
				continue
			}
			in.behind = naming.MaxAliases - left + 1
			EachReturn(c.fn.Body, func(ret *ast.ReturnStmt) {
				if len(ret.Results) > 0 {
					add(in.callables(ret.Results[0], left-1)...)
				}
			})
		}
	})
}

// EachReturn visits the returns of a function, those of its literals left out.
func EachReturn(body *ast.BlockStmt, visit func(*ast.ReturnStmt)) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			visit(n)
		}
		return true
	})
}
