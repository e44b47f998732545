package halves

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// roused finds changes of a field behind which nobody wakes those who wait, although others that make the same
// change do, by a method of the value that the patch has a function call.
func roused(c *pair.Change) (found []pair.Finding) {
	for name := range newRousers(c) {
		rouser := c.After.Named[name]
		asked := fieldsOf(rouser)
		woken := map[kind]bool{}
		var left []altered
		for _, fn := range c.After.Funcs {
			if fn == rouser {
				continue
			}
			for _, a := range alterations(fn, asked, name) {
				if a.woken {
					woken[a.kind] = true
				} else {
					left = append(left, a)
				}
			}
		}
		for _, a := range left {
			if woken[a.kind] {
				found = append(found, c.At(a.in, a.at.Pos(), "%s is changed here (%s), and %s is not called for those who wait, as it is after the same change elsewhere", a.kind.Name, a.kind.how, rouser.Name.Name))
			}
		}
	}
	return found
}

// newRousers are the methods which the patch has a function call more often than before, and that wake those who
// wait: they are given nothing and return nothing, and close a channel, send or signal.
func newRousers(c *pair.Change) map[string]bool {
	more := map[string]bool{}
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) {
			continue
		}
		had := callsIn(was)
		for name, n := range callsIn(fn) {
			if to := c.After.Named[name]; to != nil && n > had[name] && c.Before.Named[name] != nil && rouses(to) {
				more[name] = true
			}
		}
	}
	return more
}

// callsIn counts the calls of a function by what they call.
func callsIn(fn *pair.Function) map[string]int {
	counts := map[string]int{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f := syntax.Callee(fn.Info(), call.Fun); f != nil {
				counts[f.FullName()]++
			}
		}
		return true
	})
	return counts
}

// rouses reports whether a function wakes others.
func rouses(fn *pair.Function) bool {
	if fn.Recv == nil || fn.Name.IsExported() || fn.Type.Params.NumFields() > 0 || fn.Type.Results.NumFields() > 0 {
		return false
	}
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			return true
		case *ast.CallExpr:
			f := syntax.Callee(fn.Info(), n.Fun)
			return syntax.Builtin(fn.Info(), n) == "close" || f != nil && (f.FullName() == "(*sync.Cond).Signal" || f.FullName() == "(*sync.Cond).Broadcast")
		}
		return false
	})
}

// fieldsOf are the fields of its own value by which a function may decide.
func fieldsOf(fn *pair.Function) map[pair.Field]bool {
	fields := map[pair.Field]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if v := syntax.Field(fn.Info(), sel); v != nil && !syntax.FromSync(v.Type()) {
				if f, ok := pair.FieldOf(fn.Info(), sel); ok {
					fields[f] = true
				}
			}
		}
		return true
	})
	return fields
}

// A kind is how a field is changed.
type kind struct {
	pair.Field
	how string // "-="
}

// An altered field is a change of one.
type altered struct {
	kind
	in    *pair.Function
	at    ast.Stmt
	woken bool // somebody is woken behind it
}

// alterations are the changes by a step that a function makes of some fields: what is set as a whole may mean anything.
func alterations(fn *pair.Function, fields map[pair.Field]bool, rouser string) (all []altered) {
	info := fn.Info()
	calls := func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		f := syntax.Callee(info, call.Fun)
		return f != nil && f.FullName() == rouser
	}
	deferred := syntax.Any(fn.Body, func(n ast.Node) bool { d, ok := n.(*ast.DeferStmt); return ok && syntax.Any(d, calls) })
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		to, how, ok := stepOf(n)
		if !ok {
			return
		}
		if f, ok := pair.FieldOf(info, to); ok && fields[f] {
			all = append(all, altered{kind{f, how}, fn, n.(ast.Stmt), deferred || behind(append(slices.Clone(path), n), calls)})
		}
	})
	return all
}

// stepOf is what a statement adds to or takes from, and how.
func stepOf(n ast.Node) (to ast.Expr, how string, ok bool) {
	switch n := n.(type) {
	case *ast.IncDecStmt:
		return n.X, map[token.Token]string{token.INC: "+=", token.DEC: "-="}[n.Tok], true
	case *ast.AssignStmt:
		if len(n.Lhs) == 1 && (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) {
			return n.Lhs[0], n.Tok.String(), true
		}
	}
	return nil, "", false
}

// behind reports whether something is called behind the last node of a path, before the function returns.
func behind(path []ast.Node, calls func(ast.Node) bool) bool {
	for i := len(path) - 1; i > 0; i-- {
		list := syntax.ListOf(path[i-1])
		at := slices.IndexFunc(list, func(s ast.Stmt) bool { return ast.Node(s) == path[i] })
		if at < 0 {
			continue
		}
		for _, s := range list[at+1:] {
			if syntax.Any(s, calls) {
				return true
			}
			if _, leaves := s.(*ast.ReturnStmt); leaves {
				return false
			}
		}
	}
	return false
}
