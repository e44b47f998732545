package newdone

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/typetext"
)

// When goroutines give up because a context has ended, they close what they send to, as they do when all is
// done. Who takes the close for the end of the work has to ask which of the two it was.

// asksWhy has a reader leave with the error of the context where it would return none because a channel of the pipeline is
// closed.
func (e ending) asksWhy(m *mutate.Mutation, edit mutate.Edit, p *pipeline, r *mutate.Function) error {
	for _, ret := range completions(p, r) {
		results, ok := zeros(r, ret)
		if !ok {
			continue
		}
		anchor := m.StmtOf(r.File.Rel, ret)
		if anchor == nil {
			return mutate.Refuse(edit, "another edit changed what the function returns")
		}
		code := "if err := " + e.name + ".Err(); err != nil {\nreturn " + strings.Join(append(results, "err"), ", ") + "\n}"
		if err := m.InsertSnippet(r.File.Rel, anchor, false, code); err != nil {
			return err
		}
	}
	return nil
}

// zeros are the zero values for the results of a function but the last; ok is false where one cannot be written.
func zeros(fn *mutate.Function, at *ast.ReturnStmt) (all []string, ok bool) {
	for _, e := range at.Results[:len(at.Results)-1] {
		t := fn.File.Package.Info.TypeOf(e)
		if t == types.Typ[types.UntypedNil] {
			all = append(all, "nil")
			continue
		}
		text, ok := typetext.Zero(fn, t, at.Pos())
		if !ok {
			return nil, false
		}
		all = append(all, text)
	}
	return all, true
}

// completions are the returns of a reader, with nil for an error, where a channel of the pipeline is closed: under
// the test of a receive, or behind a loop over the channel.
func completions(p *pipeline, r *mutate.Function) (found []*ast.ReturnStmt) {
	info := r.File.Package.Info
	for _, st := range r.Statements() {
		ret, ok := st.Stmt.(*ast.ReturnStmt)
		if !ok || len(ret.Results) == 0 || !returnsNilError(r, ret) {
			continue
		}
		for _, node := range syntax.Path(r.Body, ret) {
			test, ok := node.(*ast.IfStmt)
			if ok && syntax.Within(ast.Node(ret), ast.Node(test.Body)) && p.foundClosed(r, info, test) {
				found = append(found, ret)
				break
			}
		}
		before := slices.ContainsFunc(st.List[:st.Index], func(s ast.Stmt) bool {
			loop, ok := s.(*ast.RangeStmt)
			return ok && p.own(r.Channel(loop.X)) && !slices.ContainsFunc(found, func(f *ast.ReturnStmt) bool { return f == ret })
		})
		if before {
			found = append(found, ret)
		}
	}
	return found
}

// returnsNilError reports whether the last result of a return is nil, for an error.
func returnsNilError(fn *mutate.Function, ret *ast.ReturnStmt) bool {
	info := fn.File.Package.Info
	results := fn.Type.Results
	if results == nil || len(results.List) == 0 || !info.Types[ret.Results[len(ret.Results)-1]].IsNil() {
		return false
	}
	return types.Identical(info.TypeOf(results.List[len(results.List)-1].Type), types.Universe.Lookup("error").Type())
}

// foundClosed reports whether a condition is that a receive from a channel of the pipeline has found it closed: !ok.
func (p *pipeline) foundClosed(r *mutate.Function, info *types.Info, test *ast.IfStmt) bool {
	not, ok := ast.Unparen(test.Cond).(*ast.UnaryExpr)
	if !ok || not.Op != token.NOT {
		return false
	}
	id, ok := ast.Unparen(not.X).(*ast.Ident)
	if !ok {
		return false
	}
	return syntax.Any(r.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != 2 || len(assign.Rhs) != 1 || variable(info, assign.Lhs[1]) == nil || variable(info, assign.Lhs[1]) != info.Uses[id] {
			return false
		}
		receive, ok := ast.Unparen(assign.Rhs[0]).(*ast.UnaryExpr)
		return ok && receive.Op == token.ARROW && p.own(r.Channel(receive.X))
	})
}

// own reports whether a channel is one of the pipeline's.
func (p *pipeline) own(c *mutate.Channel) bool { return c != nil && slices.Contains(p.channels(), c) }
