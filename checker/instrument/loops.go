package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

// forStmt is a three-clause loop, with its label if it has one. Where each
// iteration has its own variables, the next one begins with a copy of those of
// the last, which is a read.
//
//	for i := 0; i < n; i++ {
//	{ var z sched.Carried; for i := 0; i < n; func() { z.Read(); i++ }() { sched.Carry(&z, &i);
func (r *rewriter) forStmt(s *ast.ForStmt, label *ast.LabeledStmt) string {
	r.inHeader(s.Init, s.Post)
	outer := ast.Stmt(s)
	if label != nil {
		outer = label
	}
	before, reads, first := "", "", ""
	if label == nil || !r.targets[label.Label.Name] {
		for _, id := range r.carried(s) {
			z := r.fresh()
			before += "var " + z + " " + r.rt + ".Carried; "
			reads += z + ".Read(); "
			first += " " + r.call("Carry", "&"+z, "&"+id.Name) + ";"
		}
	}
	if before == "" {
		return r.splice(outer.Pos(), outer.End(), part{s.Pos(), s.End(), r.generic(s)})
	}
	parts := []part{{s.Init.Pos(), s.Init.End(), r.stmt(s.Init)}}
	if s.Cond != nil {
		parts = append(parts, part{s.Cond.Pos(), s.Cond.End(), r.value(s.Cond)})
	}
	if s.Post != nil {
		parts = append(parts, part{s.Post.Pos(), s.Post.End(), "func() { " + reads + r.stmt(s.Post) + " }()"})
	} else {
		at := s.Body.Pos()
		parts = append(parts, part{at, at, "func() { " + reads + "}() "})
	}
	parts = append(parts, part{s.Body.Pos(), s.Body.End(), r.body(s.Body, first)})
	loop := r.splice(s.Pos(), s.End(), parts...)
	return "{ " + before + r.splice(outer.Pos(), outer.End(), part{s.Pos(), s.End(), loop}) + " }"
}

// carried are the variables of a loop that others may see and of which each
// iteration has its own.
func (r *rewriter) carried(s *ast.ForStmt) []*ast.Ident {
	a, ok := s.Init.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || !r.loopvar {
		return nil
	}
	var list []*ast.Ident
	for _, l := range a.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			continue
		}
		if v, ok := r.info.Defs[id].(*types.Var); ok && id.Name != "_" && r.variable(v) {
			list = append(list, id)
		}
	}
	return list
}

// rangeAssigned is a loop over elements that assigns to targets that are no plain
// variables.
//
//	for x.i, x.v = range s {
//	{ z := s; for z1, z2 := range z { sched.R(&z[z1]); *sched.W(&x.i) = z1; *sched.W(&x.v) = z2;
func (r *rewriter) rangeAssigned(s *ast.RangeStmt, outer ast.Stmt) string {
	x, key, value := r.fresh(), r.fresh(), r.fresh()
	first := " " + r.call("R", "&"+x+"["+key+"]") + ";"
	if !blank(s.Key) {
		first += " " + r.early(s.Key) + " = " + key + ";"
	}
	first += " " + r.early(s.Value) + " = " + value + ";"
	loop := r.splice(s.Pos(), s.End(),
		part{s.Key.Pos(), s.Value.End(), key + ", " + value},
		part{s.TokPos, s.TokPos + token.Pos(len(s.Tok.String())), ":="},
		part{s.X.Pos(), s.X.End(), x + r.moved(s.X.End(), s.X.Pos())},
		part{s.Body.Pos(), s.Body.End(), r.body(s.Body, first)})
	before := "{ " + x + " := " + r.moved(s.X.Pos(), outer.Pos()) + r.value(s.X) + "; " + r.moved(outer.Pos(), s.X.End())
	return before + r.splice(outer.Pos(), outer.End(), part{s.Pos(), s.End(), loop}) + " }"
}

// odd reports whether a loop assigns to anything but plain variables.
func (r *rewriter) odd(s *ast.RangeStmt) bool {
	key, ok := s.Key.(*ast.Ident)
	if !ok || !r.repeatable(s.Value) {
		return true
	}
	b, ok := r.typeOf(key).Underlying().(*types.Basic)
	return key.Name != "_" && (!ok || b.Info()&types.IsInteger == 0)
}

// onlyLength reports whether a loop needs no more of what it is over than the
// length of an array, so that this is not evaluated.
func (r *rewriter) onlyLength(s *ast.RangeStmt) bool {
	if s.Value != nil && !blank(s.Value) || !r.pure(s.X) {
		return false
	}
	t := kind(r.typeOf(s.X))
	if elem, ok := t.(*types.Pointer); ok {
		t = elem.Elem().Underlying()
	}
	_, ok := t.(*types.Array)
	return ok
}
