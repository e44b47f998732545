package taken

import (
	"go/ast"
	"go/types"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A Risk is a call of others' code behind which a function gives back what it took before: a panic of theirs loses it.
type Risk struct {
	File *analysis.File
	Func string
	Key  string     // of what it is taken from
	Op   Op         // gives it back
	Take ast.Stmt   // in the list, or around it
	List []ast.Stmt // with the call and what gives back
	Node ast.Node   // that has it
	From int        // index in the list behind what takes
	At   int        // of the statement with the call
	Give int        // of what gives back
	Call *ast.CallExpr
}

// Risks lists them for the functions of some packages that are in no test, in source order.
func Risks(pkgs []*analysis.Package) (all []Risk) {
	visit(pkgs, func(f *analysis.File, name string, _ *ast.FuncType, body *ast.BlockStmt) {
		for _, r := range RisksIn(f.Package.Info, body) {
			r.File, r.Func = f, name
			all = append(all, r)
		}
	})
	return all
}

// RisksIn lists those of one function, by the lists of statements in their order.
func RisksIn(info *types.Info, body *ast.BlockStmt) (all []Risk) {
	if Recovers(info, body) {
		return nil
	}
	syntax.WalkOwn(body, func(n ast.Node, path []ast.Node) {
		list := syntax.ListOf(n)
		for i, s := range list {
			give, ok := OpOf(info, s)
			if !ok || i == 0 || Deferred(info, body, give) {
				continue
			}
			take, from := TakenBefore(info, list[:i], append(path[:len(path):len(path)], n), give)
			if take == nil {
				continue
			}
			for at := from; at < i; at++ {
				if call := Others(info, list[at]); call != nil {
					all = append(all, Risk{Key: give.Key, Op: give, Take: take, List: list, Node: n, From: from, At: at, Give: i, Call: call})
					break
				}
			}
		}
	})
	return all
}

// visit goes through the functions of some packages, literals too, but for those of tests and made files.
func visit(pkgs []*analysis.Package, each func(f *analysis.File, name string, typ *ast.FuncType, body *ast.BlockStmt)) {
	for _, pkg := range pkgs {
		for _, f := range pkg.Files {
			if f.Test || f.Generated {
				continue
			}
			syntax.Functions(f, func(_ ast.Node, typ *ast.FuncType, body *ast.BlockStmt, name string) { each(f, name, typ, body) })
		}
	}
}

// TakenBefore is the statement that takes what another one gives back: before it in its list, in a select there, as
// what a case begins with, or in a list around; from is behind it, in the list itself.
func TakenBefore(info *types.Info, list []ast.Stmt, around []ast.Node, give Op) (take ast.Stmt, from int) {
	for i := len(list) - 1; i >= 0; i-- {
		if s := takes(info, list[i], give); s != nil {
			return s, i + 1
		}
	}
	for i := len(around) - 1; i > 0; i-- {
		switch n := around[i].(type) {
		case *ast.CommClause:
			if n.Comm != nil && give.gives(info, n.Comm) {
				return n.Comm, 0
			}
		case *ast.IfStmt: // if s.TryAcquire(n)
			if asked, ok := ofExpr(info, n.Cond); ok && n.Init == nil && give.GivesBack(asked) && give.On == asked.On {
				return n, 0
			}
		}
		for _, s := range syntax.ListOf(around[i-1]) {
			if s.Pos() >= around[i].Pos() {
				break
			}
			if found := takes(info, s, give); found != nil {
				take = found
			}
		}
		if take != nil {
			return take, 0
		}
	}
	return nil, 0
}

// takes is the part of a statement that takes what is given back: itself, or a case of a select; nil: there is none.
func takes(info *types.Info, s ast.Stmt, give Op) ast.Stmt {
	if sel, ok := s.(*ast.SelectStmt); ok {
		for _, c := range sel.Body.List {
			if comm := c.(*ast.CommClause).Comm; comm != nil {
				if give.gives(info, comm) {
					return comm
				}
			}
		}
		return nil
	}
	if give.gives(info, s) {
		return s
	}
	return nil
}

// gives reports whether an operation gives back what a statement takes: of a channel what was received, or what says
// nothing.
func (give Op) gives(info *types.Info, take ast.Stmt) bool {
	o, ok := OpOf(info, take)
	if !ok || !give.GivesBack(o) || give.On != o.On {
		return false
	}
	switch give.way {
	case receives:
		return syntax.Constant(info, o.val)
	case sends:
		a, assigns := take.(*ast.AssignStmt)
		if syntax.Constant(info, give.val) {
			return !assigns
		}
		if !assigns {
			return false
		}
		first, ok := a.Lhs[0].(*ast.Ident)
		return ok && syntax.Is(info, give.val, info.ObjectOf(first))
	}
	return true
}

// Value is what is sent to give something back; nil: nothing is.
func (give Op) Value() ast.Expr { return give.val }

// Counts reports whether an operation takes one from a counter.
func (give Op) Counts() bool { return give.way == discount }

// Deferred reports whether a function defers what gives the same back.
func Deferred(info *types.Info, body *ast.BlockStmt, give Op) bool {
	return syntax.Any(body, func(n ast.Node) bool {
		d, ok := n.(*ast.DeferStmt)
		return ok && syntax.Any(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				o, ok := ofExpr(info, n)
				return ok && o.way == give.way && o.Key == give.Key
			case ast.Stmt:
				o, ok := OpOf(info, n)
				return ok && o.way == give.way && o.Key == give.Key
			}
			return false
		})
	})
}

// Others is the first call of others' code that a simple statement makes itself; nil: there is none.
func Others(info *types.Info, s ast.Stmt) (found *ast.CallExpr) {
	switch s.(type) {
	case *ast.ExprStmt, *ast.AssignStmt:
	default:
		return nil
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if found == nil && OfOthers(info, n) {
				found = n
			}
		}
		return found == nil
	})
	return found
}

// OfOthers reports whether a call is one of a function value, or of an interface's method.
func OfOthers(info *types.Info, call *ast.CallExpr) bool {
	if tv := info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return false
	}
	if _, lit := ast.Unparen(call.Fun).(*ast.FuncLit); lit {
		return false
	}
	f := syntax.Callee(info, call.Fun)
	if f == nil {
		return true
	}
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type()) && (f.Pkg() == nil || f.Pkg().Path() != "context" && f.Pkg().Path() != "sync")
}

// Recovers reports whether a function recovers from panics by itself.
func Recovers(info *types.Info, body *ast.BlockStmt) bool {
	return syntax.Any(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && syntax.Builtin(info, call) == "recover"
	})
}

// Before lists the calls of a risk that are in the same function of another version of its file, behind a statement of
// their list that gives back what is taken in the function.
func Before(f *analysis.File, r Risk) (all []*ast.CallExpr) {
	info, fun := f.Package.Info, types.ExprString(r.Call.Fun)
	syntax.Functions(f, func(_ ast.Node, _ *ast.FuncType, body *ast.BlockStmt, name string) {
		if name != r.Func {
			return
		}
		syntax.WalkOwn(body, func(n ast.Node, _ []ast.Node) {
			back := false
			for _, s := range syntax.ListOf(n) {
				o, ok := OpOf(info, s)
				switch call := Others(info, s); {
				case ok && o.Like(r.Op):
					back = true
				case ok && r.Op.GivesBack(o):
					back = false
				case back && call != nil && types.ExprString(call.Fun) == fun:
					all = append(all, call)
				}
			}
		})
	})
	return all
}
