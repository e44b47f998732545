package noise

import (
	"go/ast"
	"go/token"
)

// named recognises operations and variables by their names, in a text without types: one
// that does not compile, or that others have rewritten.
type named struct {
	vars     map[string]bool
	channels map[string]bool // names that are channels somewhere in the file
}

// synchronising has the names of functions and methods that synchronise.
// Without types a few others are caught (a context's Done, a map's Add); a
// hook beside them does no harm.
var synchronising = map[string]bool{
	"Lock": true, "Unlock": true, "RLock": true, "RUnlock": true, "TryLock": true, "TryRLock": true,
	"Wait": true, "Signal": true, "Broadcast": true, "Done": true, "Add": true, "Go": true, "Do": true,
	"Load": true, "Store": true, "Swap": true, "CompareAndSwap": true, "And": true, "Or": true,
	"LoadOrStore": true, "LoadAndDelete": true, "CompareAndDelete": true, "Delete": true,
	"Acquire": true, "Release": true, "TryAcquire": true,
}

func (r named) synchronises(n ast.Node) bool {
	return anyNode(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			return true
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		case *ast.CallExpr:
			switch fn := ast.Unparen(n.Fun).(type) {
			case *ast.Ident:
				return fn.Name == "close"
			case *ast.SelectorExpr:
				x, ok := fn.X.(*ast.Ident)
				return synchronising[fn.Sel.Name] || ok && x.Name == "atomic"
			}
		}
		return false
	})
}

// receives reports whether a range statement may receive from a channel, as far
// as names tell.
func (r named) receives(s *ast.RangeStmt) bool {
	switch x := ast.Unparen(s.X).(type) {
	case *ast.Ident:
		return s.Value == nil && r.channels[x.Name]
	case *ast.SelectorExpr:
		return s.Value == nil && (r.channels[x.Sel.Name] || x.Sel.Name == "C")
	}
	return false
}

// channels collects the names that a file declares as channels: variables,
// fields and parameters with a channel type, and what make(chan ...) is assigned to.
func channels(file *ast.File) map[string]bool {
	found := make(map[string]bool)
	add := func(names ...*ast.Ident) {
		for _, id := range names {
			found[id.Name] = true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if _, ok := n.Type.(*ast.ChanType); ok {
				add(n.Names...)
			}
		case *ast.ValueSpec:
			if _, ok := n.Type.(*ast.ChanType); ok || len(n.Values) > 0 && makesChannel(n.Values[0]) {
				add(n.Names...)
			}
		case *ast.AssignStmt:
			for i, value := range n.Rhs {
				if i < len(n.Lhs) && makesChannel(value) {
					switch x := n.Lhs[i].(type) {
					case *ast.Ident:
						add(x)
					case *ast.SelectorExpr:
						add(x.Sel)
					}
				}
			}
		}
		return true
	})
	return found
}

func makesChannel(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	fn, ok := call.Fun.(*ast.Ident)
	_, channel := call.Args[0].(*ast.ChanType)
	return ok && channel && fn.Name == "make"
}

func (r named) mentions(n ast.Node) bool {
	return anyNode(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && r.vars[id.Name]
	})
}
