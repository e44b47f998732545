package releaseonce

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

// maxDepth is how many calls deep releases are looked for. Guessed.
const maxDepth = 4

// A release is what a statement releases for certain when it runs, or, if it defers or
// starts something, later on.
type release struct {
	op
	alone bool // the statement does nothing else
}

// releasesOf lists what a statement releases for certain.
func releasesOf(fn *mutate.Function, s ast.Stmt) []release { return releasesAt(fn, s, maxDepth) }

func releasesAt(fn *mutate.Function, s ast.Stmt, depth int) []release {
	if depth == 0 {
		return nil
	}
	switch s := s.(type) {
	case *ast.SendStmt:
		return plain(fn, s)
	case *ast.ExprStmt:
		if fun := syntax.Started(fn.File.Package.Info, ast.Unparen(s.X)); fun != nil {
			return called(fn, &ast.CallExpr{Fun: fun}, depth)
		}
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
			if list := plain(fn, call); len(list) > 0 {
				return list
			}
			return called(fn, call, depth)
		}
		return plain(fn, ast.Unparen(s.X))
	case *ast.DeferStmt:
		if list := plain(fn, s.Call); len(list) > 0 {
			return list
		}
		return called(fn, s.Call, depth)
	case *ast.GoStmt:
		return called(fn, s.Call, depth)
	case *ast.AssignStmt:
		return within(fn, s, depth)
	case *ast.IfStmt:
		if s.Init != nil {
			return within(fn, s.Init, depth)
		}
		return within(fn, s.Cond, depth)
	case *ast.ReturnStmt:
		return within(fn, s, depth)
	}
	return nil
}

// plain is the release that a node itself is.
func plain(fn *mutate.Function, n ast.Node) []release {
	if o, ok := opOf(fn, n); ok && takes[o.way] != "" && o.limited() {
		return []release{{o, true}}
	}
	return nil
}

// within lists what the calls in some code, which does more than that, release for certain.
func within(fn *mutate.Function, code ast.Node, depth int) (out []release) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				return false
			}
		case *ast.CallExpr:
			for _, r := range called(fn, n, depth) {
				r.alone = false
				out = append(out, r)
			}
		}
		return true
	})
	return out
}

// called lists what the function that a call names, or the literal that it calls, releases
// for certain.
func called(fn *mutate.Function, call *ast.CallExpr, depth int) (out []release) {
	var to *mutate.Function
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		to = fn.OfNode(lit)
	} else {
		to = fn.Declared(syntax.Callee(fn.File.Package.Info, call.Fun))
	}
	if to == nil {
		return nil
	}
	for _, r := range surely(to, depth-1) {
		if r.path = translate(fn, call, to, r.path); r.path.Root != nil {
			out = append(out, r)
		}
	}
	return out
}

// surely lists what a function has released when it returns and had not taken itself.
func surely(fn *mutate.Function, depth int) []release {
	type surelyOf struct {
		fn    *mutate.Function
		depth int
	}
	return slices.Clone(mutate.Once(fn, surelyOf{fn, depth}, func() []release { return findSurely(fn, depth) }))
}

func findSurely(fn *mutate.Function, depth int) (out []release) {
	list := fn.Body.List
	count := 0
	for i, s := range list {
		if len(exits.Of(fn, list[:i]...)) > 0 {
			break
		}
		if _, isGo := s.(*ast.GoStmt); isGo {
			continue
		}
		for _, r := range releasesAt(fn, s, depth) {
			count++
			if !takesWithin(fn, r.op, fn.Body, func(ast.Node) bool { return true }) {
				out = append(out, r)
			}
		}
	}
	for i := range out {
		out[i].alone = out[i].alone && count == len(list)
	}
	return out
}

// later reports whether a statement releases when it has run: it is deferred, or a
// goroutine's.
func later(fn *mutate.Function, s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	return syntax.Later(s) || ok && syntax.Started(fn.File.Package.Info, ast.Unparen(e.X)) != nil
}

// find is the release of one resource among several; ok is false if there is none.
func find(list []release, o op) (r release, ok bool) {
	i := slices.IndexFunc(list, func(r release) bool { return r.way == o.way && r.path == o.path })
	if i < 0 {
		return r, false
	}
	return list[i], true
}
