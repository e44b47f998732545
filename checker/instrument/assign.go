package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// assign is an assignment or a short variable declaration. A write is reported
// after the right-hand sides have been evaluated, because a wait in them may order
// the write after others.
//
//	x.f = <-c
//	x.f, _ = sched.Recv(c), sched.W(&x.f)
func (r *rewriter) assign(s *ast.AssignStmt) string {
	switch {
	case s.Tok == token.DEFINE:
		return r.define(s)
	case s.Tok != token.ASSIGN:
		return r.opAssign(s)
	}
	written := false
	for _, l := range s.Lhs {
		written = written || r.written(l)
	}
	if len(s.Lhs) != len(s.Rhs) {
		if written || r.oddBool(s) {
			return r.wrapped(s, r.unpacked(s))
		}
		return r.plain(s, r.pair)
	}
	if !written {
		return r.plain(s, r.value)
	}
	for _, l := range s.Lhs {
		if r.written(l) && !r.repeatable(l) {
			return r.wrapped(s, r.hoisted(s))
		}
	}
	var parts []part
	var blanks, touches string
	for _, l := range s.Lhs {
		parts = append(parts, part{l.Pos(), l.End(), r.location(l)})
		if r.written(l) {
			blanks += ", _"
			touches += ", " + r.touch("W", l)
		}
	}
	parts = append(parts, part{s.Lhs[len(s.Lhs)-1].End(), s.Lhs[len(s.Lhs)-1].End(), blanks})
	parts = append(parts, r.listParts(s.Rhs)...)
	return r.splice(s.Pos(), s.End(), parts...) + touches
}

// plain is an assignment that needs no report.
func (r *rewriter) plain(s *ast.AssignStmt, value func(ast.Expr) string) string {
	var parts []part
	for _, l := range s.Lhs {
		parts = append(parts, part{l.Pos(), l.End(), r.location(l)})
	}
	parts = append(parts, r.right(s.Rhs, value)...)
	return r.splice(s.Pos(), s.End(), parts...)
}

// right are the right-hand sides of an assignment.
func (r *rewriter) right(list []ast.Expr, value func(ast.Expr) string) []part {
	if len(list) == 1 {
		return []part{{list[0].Pos(), list[0].End(), value(list[0])}}
	}
	return r.listParts(list)
}

// define is a short variable declaration. Variables that were there before are
// written; no other goroutine runs before that is reported.
func (r *rewriter) define(s *ast.AssignStmt) string {
	value := r.value
	if len(s.Lhs) == 2 && len(s.Rhs) == 1 {
		value = r.pair
	}
	text := r.splice(s.Pos(), s.End(), r.right(s.Rhs, value)...)
	for _, l := range s.Lhs {
		id := l.(*ast.Ident)
		if r.info.Defs[id] == nil && r.written(id) && !r.header[s] {
			text += "; " + r.touch("Wrote", id)
		}
	}
	return text
}

// written reports whether a target is to be reported.
func (r *rewriter) written(l ast.Expr) bool {
	l = ast.Unparen(l)
	if x, ok := l.(*ast.IndexExpr); ok && isMap(r.typeOf(x.X)) {
		return r.wanted(x.X)
	}
	return r.touches(l)
}

// repeatable reports whether a target's path may stand in the text twice. Of a
// map's element only the map does.
func (r *rewriter) repeatable(l ast.Expr) bool {
	if x, ok := ast.Unparen(l).(*ast.IndexExpr); ok && isMap(r.typeOf(x.X)) {
		return r.pure(x.X)
	}
	return r.pure(l)
}

// touch reports an access to a target: f(&x), or of a map's element fMap(m).
func (r *rewriter) touch(function string, l ast.Expr) string {
	l = ast.Unparen(l)
	if x, ok := l.(*ast.IndexExpr); ok && isMap(r.typeOf(x.X)) {
		return r.call("Map"+function, r.value(x.X))
	}
	return r.call(function, r.pointerTo(l))
}

// wrapped makes one statement of several: a block, or the call of a function where
// only a simple statement is allowed.
func (r *rewriter) wrapped(s ast.Stmt, body string) string {
	text := "{ " + body + " }"
	if r.header[s] {
		text = "func() " + text + "()"
	}
	return text + r.moved(s.End(), s.Pos())
}

// unpacked is the assignment of a call's results, or of a value and whether
// there is one: they go to variables first.
func (r *rewriter) unpacked(s *ast.AssignStmt) string {
	var h hoister
	h.r, h.at = r, s.Pos()
	var names, targets, values, touches []string
	for _, l := range s.Lhs {
		z := r.fresh()
		location := h.location(l)
		names = append(names, z)
		targets = append(targets, location)
		if !types.Identical(r.typeOf(l), types.Typ[types.Bool]) && len(s.Lhs) == 2 && l == s.Lhs[1] && r.commaOk(s.Rhs[0]) && !blank(l) && !types.IsInterface(r.typeOf(l)) {
			z += " == true" // any boolean type takes it
		}
		values = append(values, z)
		if r.written(l) {
			touches = append(touches, h.touch("W", l))
		}
	}
	h.add(names, s.Rhs[0], r.pair(s.Rhs[0]))
	for range touches {
		targets = append(targets, "_")
	}
	return h.text.String() + strings.Join(targets, ", ") + " = " + strings.Join(append(values, touches...), ", ")
}

// oddBool reports whether a second value goes to a boolean type of another name.
func (r *rewriter) oddBool(s *ast.AssignStmt) bool {
	if len(s.Lhs) != 2 || !r.commaOk(s.Rhs[0]) || blank(s.Lhs[1]) {
		return false
	}
	t := r.typeOf(s.Lhs[1])
	return !types.IsInterface(t) && !types.Identical(t, types.Typ[types.Bool])
}

func blank(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}

// commaOk reports whether an expression in a place for two values is one of those
// that give a value and whether there is one.
func (r *rewriter) commaOk(e ast.Expr) bool {
	_, call := ast.Unparen(e).(*ast.CallExpr)
	return !call
}

// hoisted is an assignment whose targets may be evaluated only once.
func (r *rewriter) hoisted(s *ast.AssignStmt) string {
	var h hoister
	h.r, h.at = r, s.Pos()
	var targets, values, touches []string
	for _, l := range s.Lhs {
		targets = append(targets, h.location(l))
		if r.written(l) {
			touches = append(touches, h.touch("W", l))
		}
	}
	last := h.at
	for i, text := range r.list(s.Rhs) {
		values = append(values, r.moved(s.Rhs[i].Pos(), last)+text)
		last = s.Rhs[i].End()
	}
	for range touches {
		targets = append(targets, "_")
	}
	return h.text.String() + strings.Join(targets, ", ") + " = " + strings.Join(append(values, touches...), ", ")
}

// opAssign is x op= y. The reads and the write are reported after y was evaluated.
func (r *rewriter) opAssign(s *ast.AssignStmt) string {
	l, y := s.Lhs[0], s.Rhs[0]
	if !r.written(l) {
		return r.plain(s, r.value)
	}
	op := strings.TrimSuffix(s.Tok.String(), "=")
	if r.pure(l) {
		x := r.location(l)
		return r.splice(s.Pos(), s.End(),
			part{l.Pos(), l.End(), x},
			part{s.TokPos, s.TokPos + token.Pos(len(s.Tok.String())), ", _ = " + x + " " + op + " ("},
			part{y.Pos(), y.End(), r.value(y)}) + "), " + r.touch("RW", l)
	}
	var h hoister
	h.r, h.at = r, s.Pos()
	x := h.location(l)
	touch := h.touch("RW", l)
	return r.wrapped(s, h.text.String()+x+", _ = "+x+" "+op+" ("+r.moved(y.Pos(), h.at)+r.value(y)+"), "+touch)
}

// incDec is x++ or x--.
func (r *rewriter) incDec(s *ast.IncDecStmt) string {
	x, ok := ast.Unparen(s.X).(*ast.IndexExpr)
	switch {
	case !r.written(s.X):
		return r.splice(s.Pos(), s.End(), part{s.X.Pos(), s.X.End(), r.location(s.X)})
	case !ok || !isMap(r.typeOf(x.X)):
		return "*" + r.call("RW", "&"+r.location(s.X)) + s.Tok.String() + r.moved(s.End(), s.X.End())
	case r.pure(x.Index):
		return r.splice(x.Pos(), x.End(), part{x.X.Pos(), x.X.End(), r.call("MapRW", r.value(x.X))},
			part{x.Index.Pos(), x.Index.End(), r.key(x.Index)}) + s.Tok.String() + r.moved(s.End(), s.X.End())
	}
	var h hoister
	h.r, h.at = r, s.Pos()
	target := h.location(s.X)
	return r.wrapped(s, h.text.String()+h.touch("RW", s.X)+"; "+target+s.Tok.String())
}

// A hoister evaluates expressions that may be evaluated only once, in order, into
// variables before a statement.
type hoister struct {
	r     *rewriter
	text  strings.Builder
	at    token.Pos // whose line the text has reached
	names map[ast.Expr]string
}

// add evaluates an expression into variables.
func (h *hoister) add(names []string, e ast.Expr, text string) {
	h.text.WriteString(strings.Join(names, ", ") + " := " + h.r.moved(e.Pos(), h.at) + text + "; ")
	h.at = e.End()
}

// location is the path of a target, with variables for the parts that may be
// evaluated only once.
func (h *hoister) location(e ast.Expr) string {
	r := h.r
	if e.Pos() > h.at && r.tokens.Line(e.Pos()) != r.tokens.Line(h.at) && !r.pure(e) {
		h.text.WriteString(r.at(e.Pos()))
		h.at = e.Pos()
	}
	return h.path(e)
}

// touch is [rewriter.touch] of a target whose location was asked for before.
func (h *hoister) touch(function string, l ast.Expr) string {
	l = ast.Unparen(l)
	if x, ok := l.(*ast.IndexExpr); ok && isMap(h.r.typeOf(x.X)) {
		return h.r.call("Map"+function, h.operand(x.X))
	}
	if star, ok := l.(*ast.StarExpr); ok {
		return h.r.call(function, h.operand(star.X))
	}
	return h.r.call(function, "&"+h.path(l))
}

func (h *hoister) path(e ast.Expr) string {
	r := h.r
	if r.pure(e) {
		return r.location(e)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return "(" + h.path(e.X) + ")"
	case *ast.StarExpr:
		return "*" + h.operand(e.X)
	case *ast.SelectorExpr:
		if _, ok := pointer(r.typeOf(e.X)); ok {
			return h.operand(e.X) + "." + e.Sel.Name
		}
		return h.path(e.X) + "." + e.Sel.Name
	case *ast.IndexExpr:
		x := h.operand
		if _, ok := kind(r.typeOf(e.X)).(*types.Array); ok {
			x = h.path
		}
		base, index := x(e.X), h.operand(e.Index)
		if isMap(r.typeOf(e.X)) {
			index = r.keyed(e.Index, index)
		}
		return base + "[" + index + "]"
	}
	return h.operand(e)
}

// operand is the value of an expression, in a variable unless it is pure.
func (h *hoister) operand(e ast.Expr) string {
	if h.r.pure(e) {
		return h.r.value(e)
	}
	if name, ok := h.names[e]; ok {
		return name
	}
	name := h.r.fresh()
	h.add([]string{name}, e, h.r.value(e))
	if h.names == nil {
		h.names = map[ast.Expr]string{}
	}
	h.names[e] = name
	return name
}
