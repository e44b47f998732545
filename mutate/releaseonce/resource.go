package releaseonce

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A way is what takes or releases a resource.
type way string

const (
	sends    way = "send"
	receives way = "receive"
	adds     way = "Add"
	done     way = "Done"
	locks    way = "Lock"
	unlocks  way = "Unlock"
	rlocks   way = "RLock"
	runlocks way = "RUnlock"
)

// takes is what takes what a way releases.
var takes = map[way]way{sends: receives, receives: sends, done: adds, unlocks: locks, runlocks: rlocks}

// An op takes or releases a resource: a slot of a channel, one of a wait group's count, a lock.
type op struct {
	way  way
	path mutate.Path
	expr ast.Expr // the channel, wait group or lock
	fn   *mutate.Function
}

// opOf is what a node itself does; ok is false if it is no operation.
func opOf(fn *mutate.Function, n ast.Node) (o op, ok bool) {
	o.fn = fn
	switch n := n.(type) {
	case *ast.SendStmt:
		o.way, o.expr = sends, n.Chan
	case *ast.UnaryExpr:
		if n.Op != token.ARROW {
			return o, false
		}
		o.way, o.expr = receives, n.X
	case *ast.CallExpr:
		sel, isSel := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		if !isSel {
			return o, false
		}
		o.expr = sel.X
		if f := syntax.Callee(fn.File.Package.Info, n.Fun); f != nil && (f.FullName() == "(*sync.WaitGroup).Done" || f.FullName() == "(*sync.WaitGroup).Add") {
			o.way = way(f.Name())
		} else if _, method, isLock := fn.Program.LockOf(fn.File, n); isLock {
			o.way = way(method)
		}
	}
	if o.expr != nil {
		o.path = fn.Path(o.expr)
	}
	return o, o.way != "" && o.path.Root != nil
}

// limited reports whether what an operation releases has to be taken once for each release:
// of channels, one with room for slots, or for what is handed out and put back.
func (o op) limited() bool {
	if o.way != sends && o.way != receives {
		return takes[o.way] != ""
	}
	ch := o.fn.Channel(o.expr)
	if ch == nil || len(ch.Closes)+len(ch.Ranges) > 0 || len(ch.Sends) == 0 || len(ch.Receives) == 0 {
		return false
	}
	buffered := false
	for _, m := range ch.Makes {
		call, ok := m.Node.(*ast.CallExpr)
		buffered = buffered || ok && len(call.Args) == 2
	}
	if !buffered || o.way == sends {
		return buffered
	}
	for _, u := range ch.Receives {
		if _, alone := u.Stmt.(*ast.ExprStmt); !alone {
			return false // what is received matters
		}
	}
	for _, u := range ch.Sends {
		s, ok := u.Node.(*ast.SendStmt)
		if !ok || u.Fn != nil && !syntax.Constant(u.Fn.File.Package.Info, s.Value) {
			return false
		}
	}
	return true
}

// taken reports whether the declaration around a function takes the resource before a node.
func (o op) taken(fn *mutate.Function, before ast.Node) bool {
	decl := declarationOf(fn, before)
	if o.way == done { // the count may be that of whoever made the group
		return !syntax.Any(decl, func(n ast.Node) bool {
			other, ok := opOf(fn, n)
			return ok && other.way == adds && other.path == o.path && !one(fn, n)
		})
	}
	return takesWithin(fn, o, decl, func(n ast.Node) bool { return n.Pos() < before.Pos() })
}

// once reports whether the declaration takes the resource once at most for two releases:
// not in several places, nor in a loop that both are behind. A lock cannot be held twice.
func (o op) once(fn *mutate.Function, first, second ast.Stmt) bool {
	if o.way == unlocks || o.way == runlocks {
		return true
	}
	count := 0
	syntax.Walk(declarationOf(fn, second), func(n ast.Node, path []ast.Node) {
		other, ok := opOf(fn, n)
		if !ok || other.way != takes[o.way] || other.path != o.path || n.Pos() >= second.Pos() {
			return
		}
		count++
		for _, around := range path {
			switch around.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				if !syntax.Within[ast.Node](first, around) {
					count++
				}
			}
		}
	})
	return count <= 1
}

// one reports whether a call adds one.
func one(fn *mutate.Function, n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	v := fn.File.Package.Info.Types[call.Args[0]].Value
	return v != nil && v.ExactString() == "1"
}

// declarationOf is the declaration of a file that a node is in.
func declarationOf(fn *mutate.Function, n ast.Node) ast.Node {
	for _, d := range fn.File.AST.Decls {
		if syntax.Within[ast.Node](n, d) {
			return d
		}
	}
	return n
}

// takesWithin reports whether code takes the resource, itself or by a call, somewhere that is so.
func takesWithin(fn *mutate.Function, o op, code ast.Node, where func(ast.Node) bool) bool {
	return syntax.Any(code, func(n ast.Node) bool {
		if n == nil || !where(n) {
			return false
		}
		if other, ok := opOf(fn, n); ok && other.way == takes[o.way] && other.path == o.path {
			return true
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		to := fn.Declared(syntax.Callee(fn.File.Package.Info, call.Fun))
		if to == nil {
			return false
		}
		for _, s := range to.Body.List {
			found := false
			ast.Inspect(s, func(n ast.Node) bool {
				if other, ok := opOf(to, n); ok && other.way == takes[o.way] && translate(fn, call, to, other.path) == o.path {
					found = true
				}
				return !found
			})
			if found {
				return true
			}
		}
		return false
	})
}

// translate is a path of a callee as the caller has it; the zero Path if it has no name for it.
func translate(fn *mutate.Function, call *ast.CallExpr, to *mutate.Function, p mutate.Path) mutate.Path {
	v, ok := p.Root.(*types.Var)
	if !ok {
		return mutate.Path{}
	}
	if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return p
	}
	if _, literal := to.Node.(*ast.FuncLit); literal && (v.Pos() < to.Node.Pos() || v.Pos() >= to.Node.End()) {
		return p // captured
	}
	given := argument(call, to, v)
	if given == nil {
		return mutate.Path{}
	}
	from := fn.Path(given)
	if from.Root == nil {
		return mutate.Path{}
	}
	return mutate.Path{Root: from.Root, Rest: from.Rest + p.Rest}
}

// argument is what a call gives the receiver or a parameter of a function; nil: nothing.
func argument(call *ast.CallExpr, to *mutate.Function, v *types.Var) ast.Expr {
	info := to.File.Package.Info
	if d, ok := to.Node.(*ast.FuncDecl); ok && d.Recv != nil && len(d.Recv.List) == 1 && len(d.Recv.List[0].Names) == 1 {
		if sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr); isSel && info.Defs[d.Recv.List[0].Names[0]] == v {
			return sel.X
		}
	}
	i := 0
	for _, field := range to.Type.Params.List {
		for _, name := range field.Names {
			if i < len(call.Args) && info.Defs[name] == v {
				return call.Args[i]
			}
			i++
		}
	}
	return nil
}
