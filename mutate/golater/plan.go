package golater

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

// A plan is an edit of a function.
type plan struct {
	fn       *mutate.Function
	form     string
	starts   []ast.Stmt // that move, each with its Add
	between  []ast.Stmt // over which they move
	needless []ast.Stmt // in exits
	ordered  []access   // what the goroutines and the statements between use both
}

// planFor plans the edit of a function in a form; nil if there is none.
func planFor(fn *mutate.Function, form string) *plan {
	p := &plan{fn: fn, form: form}
	list := fn.Body.List
	if exits.HasGotoTarget(fn, list...) {
		return nil
	}
	over := false // early exits
	for i, s := range list {
		if p.startsOnly(list, i) {
			p.starts = append(p.starts, s)
			continue
		}
		if len(p.starts) == 0 {
			continue
		}
		_, last := s.(*ast.ReturnStmt)
		leaves := p.leaves(s)
		if last || leaves && form != leaving || !p.passes(s) {
			break
		}
		over = over || leaves
		p.between = append(p.between, s)
	}
	p.starts = slices.DeleteFunc(p.starts, func(s ast.Stmt) bool {
		return len(p.between) == 0 || s.Pos() > p.between[len(p.between)-1].Pos()
	})
	if len(p.starts) == 0 || form == leaving && !over {
		return nil
	}
	if p.ordered = p.conflicts(); len(p.ordered) == 0 {
		return nil
	}
	return p
}

// startsOnly reports whether a statement of a list only starts goroutines, or is the Add in
// front of one that does.
func (p *plan) startsOnly(list []ast.Stmt, i int) bool {
	if p.isStart(list[i]) {
		return true
	}
	return i+1 < len(list) && p.isAdd(list[i]) && p.isStart(list[i+1])
}

// isStart reports whether a statement starts goroutines and does nothing else: itself, in a
// loop, or by a method that does nothing else.
func (p *plan) isStart(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.GoStmt:
		return true
	case *ast.ForStmt:
		return p.allStart(p.fn, s.Body)
	case *ast.RangeStmt:
		return p.allStart(p.fn, s.Body)
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok {
			return false
		}
		if syntax.Started(p.fn.File.Package.Info, call) != nil {
			return true
		}
		for _, c := range p.fn.Calls(s) {
			if c.Expr == call && p.allStart(c.To, c.To.Body) {
				return true
			}
		}
	}
	return false
}

// allStart reports whether the statements of a body only start goroutines.
func (p *plan) allStart(fn *mutate.Function, body *ast.BlockStmt) bool {
	some := false
	for _, s := range body.List {
		_, start := s.(*ast.GoStmt)
		if e, ok := s.(*ast.ExprStmt); ok {
			start = syntax.Started(fn.File.Package.Info, ast.Unparen(e.X)) != nil
		}
		if !start && !addTo(fn, s) {
			return false
		}
		some = some || start
	}
	return some
}

func (p *plan) isAdd(s ast.Stmt) bool { return addTo(p.fn, s) }

// addTo reports whether a statement is the Add of a wait group.
func addTo(fn *mutate.Function, s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	f := syntax.Callee(fn.File.Package.Info, call.Fun)
	return f != nil && f.FullName() == "(*sync.WaitGroup).Add"
}

// leaves reports whether the function may be left in a statement.
func (p *plan) leaves(s ast.Stmt) bool { return len(p.exitsIn(s)) > 0 }

// passes reports whether the starts may move over a statement; in exits it notes what is not
// needed any more.
func (p *plan) passes(s ast.Stmt) bool {
	if p.hides(s) {
		return false
	}
	for _, text := range p.given() {
		if p.fn.Reassigns(text, s) {
			return false
		}
	}
	var needless []ast.Stmt
	for _, e := range p.exitsIn(s) {
		if p.returnsSubject(e.ret) {
			return false
		}
		needless = append(needless, p.endings(e.list)...)
	}
	if p.waits(s, needless) {
		return false
	}
	p.needless = append(p.needless, needless...)
	return true
}

// given are the receivers and arguments of the starts, as they are written, and their names.
func (p *plan) given() (texts []string) {
	for _, s := range p.starts {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false // it looks when it runs
			case *ast.Ident:
				texts = append(texts, n.Name)
			case *ast.CallExpr:
				for _, arg := range n.Args {
					if _, lit := arg.(*ast.FuncLit); !lit {
						texts = append(texts, types.ExprString(arg))
					}
				}
			}
			return true
		})
	}
	return texts
}

// hides reports whether a statement declares, in the list itself, a name that the starts have.
func (p *plan) hides(s ast.Stmt) bool {
	info := p.fn.File.Package.Info
	body := info.Scopes[p.fn.Type]
	hidden := make(map[string]bool)
	for n := range ast.Preorder(s) {
		if id, ok := n.(*ast.Ident); ok {
			if obj := info.Defs[id]; obj != nil && obj.Parent() == body {
				hidden[id.Name] = true
			}
		}
	}
	return len(hidden) > 0 && slices.ContainsFunc(p.starts, func(start ast.Stmt) bool {
		return syntax.Any(start, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			return ok && hidden[id.Name] && info.Uses[id] != nil
		})
	})
}
