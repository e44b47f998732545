package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// An outcome is what is known of the results of the function that is being
// rewritten, if they have names and others may see one of them.
type outcome struct {
	names    map[*types.Var]string // new ones, of blank results
	pointers map[*types.Var]string // variables with the addresses of results whose names mean something else at a return
	order    []string              // statements that declare these
}

// signature gives blank results of a function names, so that a return statement
// can assign all of them. It comes before [rewriter.function].
func (r *rewriter) signature(t *ast.FuncType) []part {
	o := &outcome{names: map[*types.Var]string{}, pointers: map[*types.Var]string{}}
	r.outcomes[t] = o
	names := namedResults(t.Results)
	shared := false
	for _, id := range names {
		v, ok := r.info.Defs[id].(*types.Var)
		shared = shared || ok && id.Name != "_" && r.variable(v)
	}
	var parts []part
	for _, id := range names {
		if v, ok := r.info.Defs[id].(*types.Var); ok && shared && id.Name == "_" {
			o.names[v] = r.fresh()
			parts = append(parts, part{id.Pos(), id.End(), o.names[v]})
		}
	}
	return parts
}

// target is how a return statement at some position assigns to a result.
func (r *rewriter) target(id *ast.Ident, pos token.Pos) (text string, named, ok bool) {
	v, ok := r.info.Defs[id].(*types.Var)
	o := r.outcome
	switch {
	case !ok || o == nil:
		return "", false, false
	case o.names[v] != "":
		return o.names[v], true, true
	case id.Name == "_":
		return "", false, false
	case r.sees(pos, v):
		return id.Name, true, true
	}
	if o.pointers[v] == "" {
		o.pointers[v] = r.fresh()
		o.order = append(o.order, o.pointers[v]+" := &"+id.Name+"; ")
	}
	return "*" + o.pointers[v], false, true
}

// returned is a return statement. It assigns results that have names, which
// others may see.
//
//	return f()
//	{ err, _ = f(), sched.W(&err); return }
//
// A result that is returned as it is is not written, as with gc.
func (r *rewriter) returned(s *ast.ReturnStmt) string {
	results := namedResults(r.results)
	if len(s.Results) == 0 || !r.anyShared(results) {
		return r.splice(s.Pos(), s.End(), r.listParts(s.Results)...)
	}
	var targets, assigned, touches []string
	bare, write := true, "Wrote"
	if len(s.Results) == len(results) {
		write = "W"
	}
	for i, id := range results {
		text, named, ok := r.target(id, s.Pos())
		if !ok {
			return r.generic(s)
		}
		bare = bare && named
		targets = append(targets, text)
		v := r.info.Defs[id].(*types.Var)
		if len(s.Results) == len(results) && r.uses(s.Results[i], v) {
			assigned = append(assigned, "_")
			continue
		}
		assigned = append(assigned, text)
		if id.Name != "_" && r.variable(v) {
			touches = append(touches, r.call(write, strings.TrimPrefix("&"+text, "&*")))
		}
	}
	first := s.Results[0].Pos()
	values := r.splice(first, s.End(), r.listParts(s.Results)...)
	left := strings.Join(assigned, ", ")
	if len(s.Results) == len(targets) {
		left += strings.Repeat(", _", len(touches))
		values = strings.Join(append([]string{values}, touches...), ", ")
	} else {
		values += "; " + strings.Join(touches, "; ")
	}
	back := "return"
	if !bare {
		back += " " + strings.Join(targets, ", ")
	}
	return "{ " + left + " = " + values + "; " + r.moved(s.Pos(), s.End()) + back + " }" + r.moved(s.End(), s.Pos())
}

// uses reports whether an expression is a variable and nothing more.
func (r *rewriter) uses(e ast.Expr, v *types.Var) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && r.info.Uses[id] == v
}

// anyShared reports whether others may see one of a function's results.
func (r *rewriter) anyShared(results []*ast.Ident) bool {
	for _, id := range results {
		if v, ok := r.info.Defs[id].(*types.Var); ok && id.Name != "_" && r.variable(v) {
			return true
		}
	}
	return false
}

// leaving are statements at the beginning of a function that read, when it returns,
// results that another goroutine may still use.
func (r *rewriter) leaving(t *ast.FuncType, body *ast.BlockStmt) string {
	text := ""
	for _, id := range namedResults(t.Results) {
		v, ok := r.info.Defs[id].(*types.Var)
		if ok && id.Name != "_" && r.variable(v) && r.outlives(v, body) {
			text += "defer " + r.call("Result", "&"+id.Name) + "; "
		}
	}
	return text
}

// outlives reports whether the use of a result may come after its function has
// returned: its address is taken, or a function literal uses it that is not called
// where it stands or deferred.
func (r *rewriter) outlives(v *types.Var, body *ast.BlockStmt) bool {
	if r.facts.addressed[v] {
		return true
	}
	found := false
	var visit func(n ast.Node, apart bool)
	visit = func(n ast.Node, apart bool) {
		within := map[ast.Expr]bool{}
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				if lit, ok := n.Call.Fun.(*ast.FuncLit); ok {
					visit(lit.Body, true)
				}
			case *ast.CallExpr:
				if !within[n.Fun] {
					within[ast.Unparen(n.Fun)] = true
				}
			case *ast.FuncLit:
				visit(n.Body, apart || !within[n])
				return false
			case *ast.Ident:
				found = found || apart && r.info.Uses[n] == v
			}
			return !found
		})
	}
	visit(body, false)
	return found
}
