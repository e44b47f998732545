package askagain

import (
	"bytes"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
)

// Limits of what is repeated.
const (
	maxLeaves = 3  // statements that leave
	maxApart  = 12 // statements between the sections
)

// A question is a test by what a critical section has read, and a later section that
// relies on the answer.
type question struct {
	fn          *mutate.Function
	first, next *mutate.Section
	test        *ast.IfStmt
	ask         *ast.AssignStmt // reads what the test decides by; nil: the test does
	cond        string          // for which it leaves
	leaves      []ast.Stmt      // how
	inside      bool            // the test stands in the first section
	left        *surplus        // what is to be closed where the second question leaves; nil: nothing
}

// questions finds the questions of a function.
func questions(fn *mutate.Function) (out []*question) {
	sections := fn.Sections()
	for _, s := range sections {
		if s.Again || s.Final == nil {
			continue
		}
		for _, q := range append(behind(fn, s), within(fn, s)...) {
			if q.next = q.later(sections); q.next != nil && q.sameMeaning() && q.relied() {
				q.left = closable(fn, surplusOf(fn, q.between(), q.next), q.next)
				out = append(out, q)
			}
		}
	}
	return out
}

// behind is a test behind a section that has one statement, an assignment.
func behind(fn *mutate.Function, s *mutate.Section) []*question {
	at := s.Last + 2
	if len(s.Body) != 1 || at >= len(s.List) {
		return nil
	}
	ask, isAssign := s.Body[0].(*ast.AssignStmt)
	test, isTest := s.List[at].(*ast.IfStmt)
	if !isAssign || !isTest || test.Init != nil || test.Else != nil || len(ask.Rhs) != 1 || !decides(fn, ask, test.Cond) {
		return nil
	}
	q := &question{fn: fn, first: s, test: test, ask: ask, cond: types.ExprString(test.Cond), leaves: test.Body.List}
	if !left(q.leaves) {
		if at+1 >= len(s.List) || !left(s.List[at+1:at+2]) {
			return nil
		}
		q.cond, q.leaves = syntax.Opposite(test.Cond), s.List[at+1:at+2]
	}
	return []*question{q}
}

// decides reports whether an assignment to new or old local variables gives what a
// condition reads.
func decides(fn *mutate.Function, ask *ast.AssignStmt, cond ast.Expr) bool {
	if ask.Tok != token.DEFINE && ask.Tok != token.ASSIGN {
		return false
	}
	read := false
	for _, l := range ask.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			return false
		}
		obj := fn.File.Package.Info.ObjectOf(id)
		if v, ok := obj.(*types.Var); ok && v.Parent() == fn.File.Package.Types.Scope() {
			return false
		}
		read = read || obj != nil && syntax.Names(fn.File.Package.Info, cond, obj)
	}
	return read
}

// within are the tests of a section that leave it.
func within(fn *mutate.Function, s *mutate.Section) (out []*question) {
	for _, stmt := range s.Body {
		test, ok := stmt.(*ast.IfStmt)
		if !ok || test.Else != nil || !left(test.Body.List) || !released(s, test.Body.List) {
			continue
		}
		q := &question{fn: fn, first: s, test: test, cond: types.ExprString(test.Cond), leaves: test.Body.List, inside: true}
		if test.Init != nil {
			if q.ask, ok = test.Init.(*ast.AssignStmt); !ok || len(q.ask.Rhs) != 1 || q.ask.Tok != token.DEFINE {
				continue
			}
		}
		out = append(out, q)
	}
	return out
}

// left reports whether statements leave the function or the iteration, and are few.
func left(list []ast.Stmt) bool {
	if len(list) == 0 || len(list) > maxLeaves {
		return false
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Label == nil && last.Tok != token.FALLTHROUGH && last.Tok != token.GOTO
	}
	return false
}

// released reports whether a release of a section is among statements.
func released(s *mutate.Section, list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(l ast.Stmt) bool { return slices.Contains(s.Releases, l) })
}

// later is the section that relies on the answer: the next one of the lock in the same
// list, or in the branch for the opposite answer.
func (q *question) later(sections []*mutate.Section) *mutate.Section {
	list, from := q.first.List, q.first.Last+2
	if !q.inside && &q.leaves[0] != &q.test.Body.List[0] {
		list, from = q.test.Body.List, 0
	}
	for _, next := range sections {
		in := next.At >= from && next.At < len(list) && list[next.At] == next.Acquire
		if !in || next.Read || next.Again || !next.SameLock(q.first) {
			continue
		}
		if next.At-from > maxApart || next.Deferred && !next.DefersAtOnce() || !next.Deferred && next.Final == nil {
			return nil
		}
		return next
	}
	return nil
}

// sameMeaning reports whether all that is asked, and how it leaves, means the same in the
// later section.
func (q *question) sameMeaning() bool {
	info := q.fn.File.Package.Info
	asked := []ast.Node{}
	if q.ask != nil {
		asked = append(asked, q.ask.Rhs[0])
	}
	asked = append(asked, q.test.Cond)
	for _, a := range asked {
		if !syntax.Effectless(info, a.(ast.Expr)) {
			return false
		}
	}
	for _, l := range q.leaves {
		asked = append(asked, l)
	}
	given := q.given()
	between := q.between()
	return !slices.ContainsFunc(asked, func(a ast.Node) bool {
		return syntax.Any(a, func(n ast.Node) bool { return q.changed(n, given, between) })
	})
}

// changed reports whether a name has another meaning in the later section, or a part of
// what is repeated cannot be written twice.
func (q *question) changed(n ast.Node, given map[types.Object]bool, between []ast.Stmt) bool {
	switch n := n.(type) {
	case *ast.FuncLit, *ast.LabeledStmt, *ast.DeferStmt:
		return true
	case *ast.Ident:
		v, ok := q.fn.File.Package.Info.Uses[n].(*types.Var)
		if !ok || v.IsField() || given[v] || q.declares(v) {
			return false
		}
		return !scope.Means(q.fn, n, q.next.Acquire.End()) || q.fn.Reassigns(n.Name, between...)
	}
	return false
}

// declares reports whether a variable is declared in what is repeated.
func (q *question) declares(v *types.Var) bool {
	return slices.ContainsFunc(q.leaves, func(s ast.Stmt) bool { return s.Pos() <= v.Pos() && v.Pos() < s.End() })
}

// given are the variables that the repeated question has of its own.
func (q *question) given() map[types.Object]bool {
	given := map[types.Object]bool{}
	if q.ask != nil {
		for _, l := range q.ask.Lhs {
			if obj := q.fn.File.Package.Info.ObjectOf(l.(*ast.Ident)); obj != nil {
				given[obj] = true
			}
		}
	}
	return given
}

// between are the statements from the question to the later section.
func (q *question) between() []ast.Stmt {
	list := q.first.List
	if q.next.At < len(list) && list[q.next.At] == q.next.Acquire {
		return list[q.first.Last+2 : q.next.At]
	}
	return q.test.Body.List[:q.next.At]
}

// relied reports whether the later section changes something that is shared, does not ask,
// and others change what is asked.
func (q *question) relied() bool {
	if !slices.ContainsFunc(q.fn.Accesses(q.next.Body...), func(a analysis.Access) bool { return a.Write }) {
		return false
	}
	asked := map[*types.Var]bool{}
	reads := q.reads(q.test)
	if q.ask != nil && !q.inside {
		reads = q.fn.Accesses(q.ask)
	}
	for _, a := range reads {
		if written, _ := q.fn.UsedElsewhere(a.Var); written || q.changes(a.Var) {
			asked[a.Var] = true
		}
	}
	if len(asked) == 0 {
		return false
	}
	return !slices.ContainsFunc(q.next.Body, func(s ast.Stmt) bool { return q.asks(s, asked) })
}

// changes reports whether the later section changes a variable itself: then two goroutines
// that both have the answer change it twice.
func (q *question) changes(v *types.Var) bool {
	return slices.ContainsFunc(q.fn.Accesses(q.next.Body...), func(a analysis.Access) bool { return a.Write && a.Var == v })
}

// asks reports whether a statement tests one of the variables.
func (q *question) asks(s ast.Stmt, asked map[*types.Var]bool) bool {
	test, ok := s.(*ast.IfStmt)
	return ok && slices.ContainsFunc(q.reads(test), func(a analysis.Access) bool { return asked[a.Var] })
}

// reads are the accesses of what an if statement decides by.
func (q *question) reads(test *ast.IfStmt) []analysis.Access {
	return slices.DeleteFunc(slices.Clone(q.fn.Accesses(test)), func(a analysis.Access) bool { return a.Expr.Pos() >= test.Body.Pos() })
}

// text is the repeated question as Go writes it.
func (q *question) text() string {
	var b strings.Builder
	b.WriteString("if ")
	if q.ask != nil {
		b.WriteString(q.apart(q.names()) + " := " + types.ExprString(q.ask.Rhs[0]) + "; ")
	}
	b.WriteString(q.apart(q.cond) + " {\n")
	_, release := q.next.Methods()
	let := q.next.Lock.Expr + "." + release + "()\n"
	if q.next.Deferred && q.left == nil {
		let = ""
	}
	if !q.inside {
		b.WriteString(let)
	}
	var code []string
	for _, l := range q.leaves {
		if slices.Contains(q.first.Releases, l) {
			b.WriteString(let)
			continue
		}
		code = append(code, q.apart(q.source(l)))
	}
	for _, line := range q.left.closing(code) {
		b.WriteString(line + "\n")
	}
	b.WriteString("}")
	return b.String()
}

// apart is code with names for the answers that what is left over does not have; without answers of its own the
// question means that itself.
func (q *question) apart(code string) string {
	if q.ask == nil {
		return code
	}
	return q.left.apart(q.fn, code)
}

// names are the variables of the repeated question, but for those that it does not use.
func (q *question) names() string {
	info := q.fn.File.Package.Info
	var names []string
	for _, l := range q.ask.Lhs {
		id := l.(*ast.Ident)
		obj := info.ObjectOf(id)
		used := obj != nil && (syntax.Names(info, q.test.Cond, obj) || slices.ContainsFunc(q.leaves, func(s ast.Stmt) bool { return syntax.Names(info, s, obj) }))
		if !used {
			names = append(names, "_")
			continue
		}
		names = append(names, id.Name)
	}
	return strings.Join(names, ", ")
}

// source is a statement as it stands in the program, without comments.
func (q *question) source(s ast.Stmt) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, q.fn.Program.Fset, s); err != nil {
		panic(err) // it was parsed
	}
	return b.String()
}
