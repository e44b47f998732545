package syncops

import (
	"go/ast"
	"go/types"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
)

// cold is what an edit keeps of its heat when nobody waits for what it gives;
// chosen, not measured.
const cold = 0.3

// Heat is the heat of an edit for goroutines that wait at some uses of a
// channel: that of the hottest line where one does, if it is more than the
// edit's own; if none does a part of its own.
func Heat(fn *mutate.Function, own float64, uses ...mutate.ChannelUse) float64 {
	waited := false
	for _, u := range uses {
		at := []ast.Node{u.Node}
		if u.Select != nil {
			at = append(at, u.Select)
		}
		for _, n := range at {
			if heat, waits := fn.Narrowing.HeatAt(n.Pos()); waits != "" {
				own, waited = max(own, heat), true
			}
		}
	}
	if !waited {
		own *= cold
	}
	return own
}

// WaitHeat is Heat for goroutines that wait for a wait group or condition
// variable, whichever it is.
func WaitHeat(fn *mutate.Function, own float64) float64 {
	type waitsOf struct{ p *analysis.Program }
	waits := mutate.Once(fn, waitsOf{fn.Program}, func() (waits []mutate.ChannelUse) {
		for _, pkg := range fn.Program.Packages {
			for _, f := range pkg.Files {
				ast.Inspect(f.AST, func(n ast.Node) bool {
					if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Wait" {
						waits = append(waits, mutate.ChannelUse{Node: sel})
					}
					return true
				})
			}
		}
		return waits
	})
	return Heat(fn, own, waits...)
}

// In lists the uses in one function.
func In(fn *mutate.Function, uses []mutate.ChannelUse) []mutate.ChannelUse {
	var found []mutate.ChannelUse
	for _, u := range uses {
		if u.Fn != nil && u.Fn.Node == fn.Node {
			found = append(found, u)
		}
	}
	return found
}

// Only reports whether there are uses, and all of them in one function.
func Only(fn *mutate.Function, uses []mutate.ChannelUse) bool {
	return len(uses) > 0 && len(In(fn, uses)) == len(uses)
}

// A Named is a channel and how a function can write it.
type Named struct {
	*mutate.Channel
	Expr ast.Expr // a variable or a field of one, as the function or one around it has it
	Text string
}

// Reachable lists the channels that a function may send on, or close, and that
// it or a function around it names, in source order.
func Reachable(fn *mutate.Function) []Named {
	var found []Named
	seen := make(map[mutate.Path]bool)
	for _, e := range sendables(fn) {
		p := fn.Path(e)
		if p.Root == nil || seen[p] || !scope.Means(fn, e, fn.Body.Rbrace) {
			continue
		}
		seen[p] = true
		if ch := fn.Channel(e); ch != nil {
			found = append(found, Named{Channel: ch, Expr: e, Text: types.ExprString(e)})
		}
	}
	return found
}

// sendables are the expressions in the declaration around a function that are sendable, in
// source order.
func sendables(fn *mutate.Function) []ast.Expr {
	type sendablesOf struct{ ast.Decl }
	decl := Decl(fn)
	return mutate.Once(fn, sendablesOf{decl}, func() (found []ast.Expr) {
		ast.Inspect(decl, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && sendable(fn, e) {
				found = append(found, e)
			}
			return true
		})
		return found
	})
}

// sendable reports whether an expression is a variable or field whose channel
// is not only for receiving.
func sendable(fn *mutate.Function, e ast.Expr) bool {
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
	default:
		return false
	}
	info := fn.File.Package.Info
	t := info.TypeOf(e)
	if t == nil {
		return false
	}
	c, ok := t.Underlying().(*types.Chan)
	return ok && c.Dir() != types.RecvOnly
}

// Decl is the declaration around a function, which may be its own.
func Decl(fn *mutate.Function) ast.Decl {
	for _, d := range fn.File.AST.Decls {
		if d.Pos() <= fn.Node.Pos() && fn.Node.End() <= d.End() {
			return d
		}
	}
	panic("syncops: a function is in no declaration of its file")
}

// Since finds where an expression begins to have its meaning in a function:
// behind a statement of its body, or, nil, from its head. ok is false if
// there is no such place, because it is declared or assigned to further in.
func Since(fn *mutate.Function, e ast.Expr) (behind ast.Stmt, ok bool) {
	root := fn.Path(e).Root
	if root == nil {
		return nil, false
	}
	text := types.ExprString(e)
	for _, s := range fn.Body.List {
		declares := s.Pos() <= root.Pos() && root.Pos() < s.End()
		if !declares && !fn.Reassigns(text, s) {
			continue
		}
		switch s.(type) {
		case *ast.AssignStmt, *ast.DeclStmt:
			behind = s
		default:
			return nil, false
		}
	}
	return behind, true
}

// StartedInLoop reports whether a go statement, or Go of a wait group, runs the
// function in a loop, or more than one does.
func StartedInLoop(fn *mutate.Function) bool {
	n := 0
	for _, pkg := range fn.Program.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				n += starters(fn, pkg.Info, d)
			}
		}
	}
	return n > 1
}

// starters counts the starts of a function in a declaration, those in loops as
// two.
func starters(fn *mutate.Function, info *types.Info, d ast.Decl) int {
	n := 0
	syntax.Walk(d, func(node ast.Node, path []ast.Node) {
		fun := syntax.Started(info, node)
		if fun != nil && (ast.Node(fun) == fn.Node || isDeclared(fn, info, fun)) {
			n++
			if syntax.InLoop(node, path) {
				n++
			}
		}
	})
	return n
}

func isDeclared(fn *mutate.Function, info *types.Info, fun ast.Node) bool {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok {
		return false
	}
	switch f := fun.(type) {
	case *ast.Ident:
		return syntax.Declared(info.Uses[f]) == fn.File.Package.Info.Defs[decl.Name]
	case *ast.SelectorExpr:
		return syntax.Declared(info.Uses[f.Sel]) == fn.File.Package.Info.Defs[decl.Name]
	}
	return false
}
