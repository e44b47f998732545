package capture

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/mutate"
)

// A Variable is a local variable of the functions around a literal that is
// started, which uses it.
type Variable struct {
	Var             *types.Var
	Inside, Outside []Use // in source order

	start *Start
	loop  ast.Node // in which one instance of it meets several starts; nil: none
}

// Captured lists the local variables that the literal of a start captures, in
// the order of their first uses there.
func (s *Start) Captured(fn *mutate.Function) []Variable {
	var out []Variable
	seen := make(map[*types.Var]bool)
	ast.Inspect(s.Lit.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := fn.File.Package.Info.Uses[id].(*types.Var)
		if !ok || seen[v] || v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() || within(v.Pos(), s.Lit) {
			return true
		}
		seen[v] = true
		c := Variable{Var: v, start: s, loop: s.Loop(fn, v)}
		for _, u := range usesOf(fn, s.path[0], v) {
			if within(u.Pos-1, s.Lit) {
				c.Inside = append(c.Inside, u)
			} else {
				c.Outside = append(c.Outside, u)
			}
		}
		out = append(out, c)
		return true
	})
	return out
}

// Addressed reports whether the variable's address is taken, so that its uses
// are not known.
func (v *Variable) Addressed() bool {
	addressed := func(u Use) bool { return u.Addressed }
	return slices.ContainsFunc(v.Inside, addressed) || slices.ContainsFunc(v.Outside, addressed)
}

// Needs reports whether the literal reads a value that it has not written itself.
func (v *Variable) Needs() bool {
	return slices.ContainsFunc(v.Inside, func(r Use) bool {
		return r.Read && !slices.ContainsFunc(v.Inside, func(w Use) bool { return w.feeds(r) })
	})
}

// Reads reports whether the literal reads the variable.
func (v *Variable) Reads() bool {
	return slices.ContainsFunc(v.Inside, func(u Use) bool { return u.Read })
}

// Writes reports whether the literal writes the variable.
func (v *Variable) Writes() bool {
	return slices.ContainsFunc(v.Inside, func(u Use) bool { return u.Write })
}

// Polls reports whether the literal waits in a loop for others to change the
// variable.
func (v *Variable) Polls() bool {
	return !v.Writes() && slices.ContainsFunc(v.Inside, func(u Use) bool { return u.Cond })
}

// Feeds reports whether code outside may read a value that the literal writes.
func (v *Variable) Feeds() bool {
	return v.Writes() && slices.ContainsFunc(v.Outside, func(r Use) bool {
		return r.Read && v.later(r) && !slices.ContainsFunc(v.Outside, func(w Use) bool {
			return v.later(w) && w.feeds(r)
		})
	})
}

// Changes reports whether code outside writes the variable when the literal
// may run.
func (v *Variable) Changes() bool {
	return slices.ContainsFunc(v.Outside, func(u Use) bool { return u.Write && v.later(u) })
}

// UsedIn reports whether code outside uses the variable in a part of the text.
func (v *Variable) UsedIn(from, to token.Pos) bool {
	return slices.ContainsFunc(v.Outside, func(u Use) bool { return from < u.Pos && u.Pos <= to })
}

// Unread reports whether nobody outside reads the variable.
func (v *Variable) Unread() bool { return !v.ReadOutside(nil) }

// ReadOutside reports whether code outside of the literal and of some others
// reads the variable.
func (v *Variable) ReadOutside(others []*ast.FuncLit) bool {
	return slices.ContainsFunc(v.Outside, func(u Use) bool {
		return u.Read && !slices.ContainsFunc(others, func(lit *ast.FuncLit) bool { return within(u.Pos-1, lit) })
	})
}

// Declaration is the statement that does nothing but declare the variable,
// without a value, if nothing outside uses that; nil: there is none.
func (v *Variable) Declaration() *ast.DeclStmt {
	if len(v.Outside) > 0 {
		return nil
	}
	var found *ast.DeclStmt
	ast.Inspect(v.start.path[0], func(n ast.Node) bool {
		s, ok := n.(*ast.DeclStmt)
		if !ok || !within(v.Var.Pos(), s) {
			return true
		}
		if d, ok := s.Decl.(*ast.GenDecl); ok && len(d.Specs) == 1 {
			if spec, ok := d.Specs[0].(*ast.ValueSpec); ok && len(spec.Names) == 1 && len(spec.Values) == 0 {
				found = s
			}
		}
		return true
	})
	return found
}

// later reports whether a use outside may come after the start: it stands behind
// it, in a loop with it, or in a literal that may be called at any time.
func (v *Variable) later(u Use) bool {
	s := v.start.Stmt
	switch {
	case u.Pos >= s.End():
		return true
	case v.loop != nil && within(u.Pos-1, v.loop):
		return true
	}
	return u.lit != nil && !(u.lit.Pos() <= s.Pos() && s.End() <= u.lit.End())
}

// Defining finds the assignment that, as a definition, would give the literal a
// variable of its own: all that the literal does with the variable lies in the
// scope of the new one. It may define others of the same start with it, if they
// are among those named; all is which it defines. at is the statement of a list
// that it is or begins; nil: there is none.
func (v *Variable) Defining(fn *mutate.Function, others []Variable) (assign *ast.AssignStmt, at ast.Stmt, all []Variable) {
	lit := fn.OfNode(v.start.Lit)
	if lit == nil {
		return nil, nil, nil
	}
	for _, w := range v.Inside {
		if w.lit != v.start.Lit || w.Assign == nil || w.Assign.Tok != token.ASSIGN {
			continue
		}
		if all := definable(fn, w.Assign, others); all != nil {
			return w.Assign, mutate.Innermost(lit.Statements(), w.Assign).Stmt, all
		}
	}
	return nil, nil, nil
}

// confinedBy reports whether all of the literal's uses lie in the scope that a
// definition in the place of an assignment has.
func (v *Variable) confinedBy(s *ast.AssignStmt) bool {
	i := slices.IndexFunc(v.Inside, func(u Use) bool { return u.Assign == s })
	if i < 0 || v.Inside[i].from >= v.Inside[i].to {
		return false
	}
	return !slices.ContainsFunc(v.Inside, func(u Use) bool { return u.Pos < s.Pos() || v.Inside[i].to < u.Pos })
}

// definable lists which of some variables an assignment declares when it
// becomes a definition, with the types they have; nil: it would declare others,
// or not be right.
func definable(fn *mutate.Function, s *ast.AssignStmt, vars []Variable) (all []Variable) {
	info := fn.File.Package.Info
	scope := fn.File.Package.Types.Scope().Innermost(s.Pos())
	for i, l := range s.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok || scope == nil {
			return nil
		}
		obj := info.Uses[id]
		if id.Name == "_" || obj != nil && obj.Parent() == scope {
			continue
		}
		k := slices.IndexFunc(vars, func(v Variable) bool { return types.Object(v.Var) == obj })
		if k < 0 || !vars[k].confinedBy(s) {
			return nil
		}
		if t := assigned(info, s, i); t == nil || !types.Identical(t, vars[k].Var.Type()) {
			return nil
		}
		all = append(all, vars[k])
	}
	return all
}

// assigned is the type of what an assignment gives to its i-th operand; nil:
// unknown.
func assigned(info *types.Info, s *ast.AssignStmt, i int) types.Type {
	if len(s.Rhs) == len(s.Lhs) {
		return info.TypeOf(s.Rhs[i])
	}
	results, ok := info.TypeOf(s.Rhs[0]).(*types.Tuple)
	if !ok || i >= results.Len() {
		return nil
	}
	return results.At(i).Type()
}
