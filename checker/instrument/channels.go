package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// selectStmt is a select statement. It becomes a switch over the chosen case, in
// which break means the same. Channels and values to send are evaluated in its
// header, in order; assignments stay in the clauses.
//
//	select {
//	case v := <-c:
//	case d <- f():
//	}
//	switch z1, z2 := sched.From(c), sched.To(d).Case(f()); sched.Select(z1, z2) {
//	case 0: v := z1.V;
//	default:
//	}
func (r *rewriter) selectStmt(s *ast.SelectStmt) string {
	r.used = true
	if len(s.Body.List) == 0 {
		return "for { " + r.rt + ".Select() }" + r.moved(s.End(), s.Pos())
	}
	var names, cases []string
	hasDefault := false
	last := s.Pos()
	byClause := map[*ast.CommClause]string{}
	for _, c := range s.Body.List {
		c := c.(*ast.CommClause)
		if c.Comm == nil {
			hasDefault = true
			continue
		}
		z := r.fresh()
		byClause[c] = z
		names = append(names, z)
		cases = append(cases, r.moved(c.Comm.Pos(), last)+r.operation(c.Comm))
		last = c.Comm.End()
	}
	header := "switch "
	if len(names) > 0 {
		header += strings.Join(names, ", ") + " := " + strings.Join(cases, ", ") + "; "
	}
	function := "Select"
	if hasDefault {
		function = "SelectDefault"
	}
	header += r.moved(s.Pos(), last) + r.call(function, names...) + " " + r.moved(s.Body.Pos(), s.Pos())
	parts := []part{{s.Pos(), s.Body.Pos(), header}}
	index := 0
	for i, c := range s.Body.List {
		c := c.(*ast.CommClause)
		head := "default:"
		if c.Comm != nil {
			if hasDefault || i < len(s.Body.List)-1 {
				head = fmt.Sprintf("case %d:", index)
			}
			head += r.received(c.Comm, byClause[c])
			index++
		}
		parts = append(parts, part{c.Pos(), c.Colon + 1, head + r.moved(c.Colon, c.Pos())})
		for _, b := range c.Body {
			parts = append(parts, part{b.Pos(), b.End(), r.stmt(b)})
		}
	}
	return r.splice(s.Pos(), s.End(), parts...)
}

// operation is the communication of a clause.
func (r *rewriter) operation(comm ast.Stmt) string {
	if s, ok := comm.(*ast.SendStmt); ok {
		return r.call("To", r.value(s.Chan)) + ".Case(" + r.moved(s.Value.Pos(), s.Chan.End()) + r.value(s.Value) + ")"
	}
	return r.call("From", r.value(receiveIn(comm).X))
}

// receiveIn is the receive of a clause.
func receiveIn(comm ast.Stmt) *ast.UnaryExpr {
	var e ast.Expr
	switch s := comm.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		e = s.Rhs[0]
	}
	return ast.Unparen(e).(*ast.UnaryExpr)
}

// received assigns what a clause received.
func (r *rewriter) received(comm ast.Stmt, z string) string {
	s, ok := comm.(*ast.AssignStmt)
	if !ok {
		return ""
	}
	var targets, values []string
	for i, l := range s.Lhs {
		value := z + ".V"
		if i == 1 {
			value = z + ".OK"
		}
		if s.Tok == token.DEFINE {
			targets = append(targets, r.raw(l))
		} else {
			targets = append(targets, r.early(l))
			if i == 1 && !blank(l) && !types.IsInterface(r.typeOf(l)) {
				value += " == true" // any boolean type takes it
			}
		}
		values = append(values, value)
	}
	if s.Tok == token.DEFINE && allBlank(s.Lhs) {
		return ""
	}
	return " " + strings.Join(targets, ", ") + " " + s.Tok.String() + " " + strings.Join(values, ", ") + ";"
}

func allBlank(list []ast.Expr) bool {
	for _, e := range list {
		if !blank(e) {
			return false
		}
	}
	return true
}

// early is a target that is reported when it is evaluated. That is right where
// nothing comes between the evaluation and the assignment.
func (r *rewriter) early(l ast.Expr) string {
	if !r.written(l) {
		return r.location(l)
	}
	l = ast.Unparen(l)
	if x, ok := l.(*ast.IndexExpr); ok && isMap(r.typeOf(x.X)) {
		return r.call("MapW", r.value(x.X)) + "[" + r.value(x.Index) + "]"
	}
	return "*" + r.call("W", r.pointerTo(l))
}

// rangeStmt is a range loop, with its label if it has one.
func (r *rewriter) rangeStmt(s *ast.RangeStmt, label *ast.LabeledStmt) string {
	var text string
	switch t := kind(r.typeOf(s.X)).(type) {
	case *types.Chan:
		text = r.rangeOver(s, "Range", s.Key)
	case *types.Map:
		text = r.rangeOver(s, "RangeMap", s.Key, s.Value)
	case *types.Slice:
		return r.rangeElements(s, label)
	case *types.Pointer:
		if _, ok := t.Elem().Underlying().(*types.Array); ok {
			return r.rangeElements(s, label)
		}
		text = r.rangePlain(s, "", "")
	default:
		text = r.rangePlain(s, "", "")
	}
	if label != nil {
		return r.splice(label.Pos(), label.End(), part{s.Pos(), s.End(), text})
	}
	return text
}

// rangeOver is a loop over a channel or a map: a three-clause loop that has the same
// variables, each iteration its own or not as the language version says.
//
//	for v := range c {
//	for z1, v, z2 := sched.Range(c); z2; v, z2 = z1.Next() {
func (r *rewriter) rangeOver(s *ast.RangeStmt, function string, vars ...ast.Expr) string {
	it, ok := r.fresh(), r.fresh()
	first, body := "", ""
	next := ""
	for _, v := range vars {
		switch {
		case v == nil || blank(v):
			first, next = first+", _", next+"_, "
		case s.Tok == token.DEFINE:
			first, next = first+", "+r.raw(v), next+r.raw(v)+", "
			body += r.iteration(v)
		default:
			z := r.fresh()
			first, next = first+", "+z, next+z+", "
			body += " " + r.early(v) + " = " + z + ";"
		}
	}
	r.used = true
	head := "for " + it + first + ", " + ok + " := " + r.moved(s.X.Pos(), s.Pos()) + r.call(function, r.value(s.X)) +
		"; " + ok + "; " + next + ok + " = " + it + ".Next() " + r.moved(s.Body.Pos(), s.X.End())
	return r.splice(s.Pos(), s.End(), part{s.Pos(), s.Body.Pos(), head}, part{s.Body.Pos(), s.Body.End(), r.body(s.Body, body)})
}

// wrote reports that a target was written.
func (r *rewriter) wrote(l ast.Expr) string {
	if x, ok := ast.Unparen(l).(*ast.IndexExpr); ok && isMap(r.typeOf(x.X)) {
		return r.touch("W", l)
	}
	return r.touch("Wrote", l)
}

// iteration reports that a loop's variable was written at the beginning of an
// iteration: it can be shared only where all iterations have the same.
func (r *rewriter) iteration(v ast.Expr) string {
	id, ok := v.(*ast.Ident)
	if !ok || r.loopvar {
		return ""
	}
	if o, ok := r.info.Defs[id].(*types.Var); !ok || !r.variable(o) {
		return ""
	}
	return " " + r.call("Wrote", "&"+id.Name) + ";"
}

// body is a loop's body with something at its beginning.
func (r *rewriter) body(b *ast.BlockStmt, first string) string {
	text := r.stmt(b)
	return text[:1] + first + text[1:]
}

// rangedOver is what a loop is over.
func (r *rewriter) rangedOver(s *ast.RangeStmt) string {
	if r.onlyLength(s) {
		return r.raw(s.X)
	}
	return r.value(s.X)
}

// rangePlain is a loop over anything else: X is replaced when over is given,
// first comes at the beginning of its body.
func (r *rewriter) rangePlain(s *ast.RangeStmt, over, first string) string {
	var parts []part
	for _, v := range []ast.Expr{s.Key, s.Value} {
		switch {
		case v == nil:
		case s.Tok == token.DEFINE:
			first += r.iteration(v)
		default:
			parts = append(parts, part{v.Pos(), v.End(), r.location(v)})
			if r.written(v) && r.repeatable(v) {
				first += " " + r.wrote(v) + ";"
			}
		}
	}
	if over == "" {
		over = r.rangedOver(s)
	}
	parts = append(parts, part{s.X.Pos(), s.X.End(), over}, part{s.Body.Pos(), s.Body.End(), r.body(s.Body, first)})
	return r.splice(s.Pos(), s.End(), parts...)
}

// rangeElements is a loop over a slice, or an array by pointer: every iteration
// that has a value reads an element.
//
//	for _, v := range x {
//	{ z1 := x; for z2, v := range z1 { sched.R(&z1[z2]);
func (r *rewriter) rangeElements(s *ast.RangeStmt, label *ast.LabeledStmt) string {
	outer := ast.Stmt(s)
	if label != nil {
		outer = label
	}
	if s.Tok == token.ASSIGN && s.Value != nil && !blank(s.Value) && r.odd(s) && (label == nil || !r.targets[label.Label.Name]) {
		return r.rangeAssigned(s, outer)
	}
	_, literal := ast.Unparen(s.X).(*ast.CompositeLit)
	key, named := s.Key.(*ast.Ident)
	if s.Value == nil || blank(s.Value) || literal || !named || !r.wanted(s.X) || label != nil && r.targets[label.Label.Name] {
		return r.splice(outer.Pos(), outer.End(), part{s.Pos(), s.End(), r.rangePlain(s, "", "")})
	}
	if b, ok := r.typeOf(key).Underlying().(*types.Basic); s.Tok == token.ASSIGN && key.Name != "_" && (!ok || b.Info()&types.IsInteger == 0) {
		return r.splice(outer.Pos(), outer.End(), part{s.Pos(), s.End(), r.rangePlain(s, "", "")})
	}
	x := r.fresh()
	before := "{ " + x + " := " + r.moved(s.X.Pos(), outer.Pos()) + r.value(s.X) + "; "
	index := key.Name
	if index == "_" {
		index = r.fresh()
		if s.Tok == token.ASSIGN {
			before += "var " + index + " int; "
		}
	}
	loop := r.rangePlain(s, x+r.moved(s.X.End(), s.X.Pos()), " "+r.call("R", "&"+x+"["+index+"]")+";")
	if index != key.Name {
		from := r.tokens.Offset(s.Key.Pos()) - r.tokens.Offset(s.Pos())
		loop = loop[:from] + index + loop[from+1:]
	}
	return before + r.moved(outer.Pos(), s.X.End()) + r.splice(outer.Pos(), outer.End(), part{s.Pos(), s.End(), loop}) + " }"
}
