package askagain

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/locked"
)

// formWhole is the form of the edits that ask all that a section has asked.
const formWhole = "whole"

// maxKept is how many answers are compared with those of the second time.
const maxKept = 3

// A whole is all that a critical section, or a call that takes the lock, has found out, and
// a later section that relies on it.
type whole struct {
	fn     *mutate.Function
	list   []ast.Stmt // of the function's body
	first  int        // the statement that takes the lock: an acquisition, or the call's
	asked  []ast.Stmt // the section's statements, or the call's
	tests  []*ast.IfStmt
	end    int                   // index of the statement behind the tests
	let    []ast.Stmt            // releases of the first section
	call   *locked.Call          // nil where it is a section
	inCall *mutate.Section       // that of the function that is called
	kept   map[*types.Var]string // answers that are used behind the tests, with names for those of the second time
	next   *mutate.Section
	left   *surplus // what is to be closed where the second question leaves; nil: nothing
}

// wholes finds those of a function, in source order.
func wholes(fn *mutate.Function, questions []*question) (out []*whole) {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok {
		return nil
	}
	sections := fn.Sections()
	for i := range decl.Body.List {
		for _, w := range starts(fn, decl.Body.List, i, sections) {
			if w.complete(sections) && !w.simple(questions) {
				w.findSurplus()
				out = append(out, w)
			}
		}
	}
	return out
}

// starts are what may be asked at a statement of a list.
func starts(fn *mutate.Function, list []ast.Stmt, i int, sections []*mutate.Section) (out []*whole) {
	for _, s := range sections {
		if s.Acquire == list[i] && !s.Again && s.Final != nil && len(s.Body) > 0 {
			out = append(out, &whole{fn: fn, list: list, first: i, asked: s.Body, end: s.Last + 2, let: s.Releases})
		}
	}
	for _, s := range sections {
		if s.At <= i || s.Read || s.Again || s.At >= len(list) || list[s.At] != s.Acquire {
			continue
		}
		for _, c := range fn.Calls(list[i]) {
			if !held.Acquires(fn, c.Expr, s.Lock.Key) || !tops(list[i], c.Expr) {
				continue
			}
			for _, to := range locked.Of(c.To, s.Lock.Key) {
				if in := sectionOf(to); in != nil && locked.SameLock(fn, c.Name(to.Lock), s) && locked.CanCall(fn, c.Expr, to) {
					out = append(out, &whole{fn: fn, list: list, first: i, asked: list[i : i+1], end: i + 1, call: &locked.Call{Expr: c.Expr, To: to}, inCall: in})
				}
			}
		}
		break // the next one of the list
	}
	return out
}

// sectionOf is the section of a function that takes a lock once, and before that finds out what changes nothing; else nil.
func sectionOf(to *locked.Function) *mutate.Section {
	if to.Section != nil {
		return to.Section
	}
	sections := to.Sections()
	if len(sections) != 1 || sections[0].Lock.Key != to.As.Key || !sections[0].Deferred {
		return nil
	}
	at := slices.Index(to.Body.List, sections[0].Acquire)
	if at < 0 || slices.ContainsFunc(to.Body.List[:at], func(s ast.Stmt) bool { return !asking(to.Function, s, nil, maxFrames) }) {
		return nil
	}
	return sections[0]
}

// tops reports whether a statement is an assignment of what a call returns, or leaves by it.
func tops(s ast.Stmt, call *ast.CallExpr) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return len(s.Rhs) == 1 && s.Rhs[0] == call
	case *ast.IfStmt:
		return s.Else == nil && left(s.Body.List) && s.Pos() <= call.Pos() && call.End() <= s.Body.Pos()
	}
	return false
}

// complete finds the tests, the later section and the answers that are kept, and reports
// whether all can be asked again.
func (w *whole) complete(sections []*mutate.Section) bool {
	for ; w.end < len(w.list); w.end++ {
		test, ok := w.list[w.end].(*ast.IfStmt)
		if !ok || test.Init != nil || test.Else != nil || !left(test.Body.List) || !w.decides(test) {
			break
		}
		w.tests = append(w.tests, test)
	}
	if w.next = w.later(sections); w.next == nil || len(w.fn.HeldAt(w.list[w.first])) > 0 {
		return false
	}
	for _, s := range w.asked {
		if !w.repeatable(s) {
			return false
		}
	}
	for _, test := range w.tests {
		if !asking(w.fn, test.Body, nil, maxFrames) && !returns(test.Body) {
			return false
		}
	}
	return w.sameMeaning() && w.keep() && w.relied()
}

// returns reports whether a block does nothing but return.
func returns(b *ast.BlockStmt) bool {
	_, ok := b.List[0].(*ast.ReturnStmt)
	return ok
}

// repeatable reports whether a statement that is asked can run twice. One that leaves may
// do what it does where it leaves.
func (w *whole) repeatable(s ast.Stmt) bool {
	var call *ast.CallExpr
	if w.call != nil {
		call = w.call.Expr
		body := w.inCall.Body
		for i, s := range body {
			if !asking(w.call.To.Function, s, nil, maxFrames) && !w.changesInBranch(s) {
				if !w.changesWhereItLeaves(body, i) {
					return false
				}
				break
			}
		}
	}
	if test, ok := w.leaver(s); ok {
		return (test.Init == nil || asking(w.fn, test.Init, call, maxFrames)) && asking(w.fn, &ast.ExprStmt{X: test.Cond}, call, maxFrames)
	}
	return asking(w.fn, s, call, maxFrames)
}

// leaver is a statement that is asked, and leaves by the answer.
func (w *whole) leaver(s ast.Stmt) (*ast.IfStmt, bool) {
	test, ok := s.(*ast.IfStmt)
	return test, ok && test.Else == nil && left(test.Body.List)
}

// decides reports whether a test asks for what was found out.
func (w *whole) decides(test *ast.IfStmt) bool {
	for v := range w.answers() {
		if syntax.Names(w.fn.File.Package.Info, test.Cond, v) {
			return syntax.Effectless(w.fn.File.Package.Info, test.Cond)
		}
	}
	return false
}

// answers are the local variables that are assigned to in what is asked, at its top.
func (w *whole) answers() map[*types.Var]bool {
	vars := map[*types.Var]bool{}
	for _, s := range w.asked {
		if _, leaves := w.leaver(s); leaves {
			continue
		}
		ast.Inspect(s, func(n ast.Node) bool {
			if stmt, ok := n.(ast.Stmt); ok {
				for _, e := range syntax.Assigned(stmt) {
					if id, ok := ast.Unparen(e).(*ast.Ident); ok {
						if v, ok := w.fn.File.Package.Info.ObjectOf(id).(*types.Var); ok {
							vars[v] = true
						}
					}
				}
			}
			return true
		})
	}
	return vars
}

// later is the next section of the lock in the list that may write.
func (w *whole) later(sections []*mutate.Section) *mutate.Section {
	for _, next := range sections {
		if next.At < w.end || next.At >= len(w.list) || w.list[next.At] != next.Acquire || next.Again || !w.same(next, sections) {
			continue
		}
		if next.Read || next.At-w.end > maxApart || next.Deferred && !next.DefersAtOnce() || !next.Deferred && next.Final == nil {
			return nil
		}
		return next
	}
	return nil
}

// same reports whether a section is of the lock that was held when it was asked.
func (w *whole) same(next *mutate.Section, sections []*mutate.Section) bool {
	if w.call != nil {
		for _, c := range w.fn.Calls(w.list[w.first]) {
			if c.Expr == w.call.Expr {
				return locked.SameLock(w.fn, c.Name(w.call.To.Lock), next)
			}
		}
		return false
	}
	return slices.ContainsFunc(sections, func(s *mutate.Section) bool { return s.Acquire == w.list[w.first] && next.SameLock(s) })
}

// between are the statements from the tests to the later section.
func (w *whole) between() []ast.Stmt { return w.list[w.end:w.next.At] }

// sameMeaning reports whether all that is repeated means the same in the later section.
func (w *whole) sameMeaning() bool {
	info := w.fn.File.Package.Info
	answers := w.answers()
	nodes := slices.Clone(w.asked)
	for _, t := range w.tests {
		nodes = append(nodes, t)
	}
	for _, n := range nodes {
		changed := syntax.Any(n, func(x ast.Node) bool {
			switch x := x.(type) {
			case *ast.LabeledStmt, *ast.DeferStmt:
				return true
			case *ast.Ident:
				v, ok := info.Uses[x].(*types.Var)
				if !ok || v.IsField() || answers[v] || n.Pos() <= v.Pos() && v.Pos() < n.End() {
					return false
				}
				return !scope.Means(w.fn, x, w.next.Acquire.End()) || w.fn.Reassigns(x.Name, w.between()...)
			}
			return false
		})
		if changed {
			return false
		}
	}
	return true
}

// keep finds the answers that are used behind the tests. Those are compared with what the
// second time finds, and where they differ the function begins again.
func (w *whole) keep() bool {
	w.kept = map[*types.Var]string{}
	for v := range w.answers() {
		used, rewritten := w.usedBehind(v)
		if rewritten && !w.scoped() && w.usedIn(v, w.list[w.next.At:]) {
			return false
		}
		if !used {
			continue
		}
		if !types.Comparable(v.Type()) || types.IsInterface(v.Type()) || w.fn.Reassigns(v.Name(), w.between()...) {
			return false
		}
		name := v.Name()
		first, n := utf8.DecodeRuneInString(name)
		w.kept[v] = scope.FreeName(w.fn, "now"+string(unicode.ToUpper(first))+name[n:])
	}
	if len(w.kept) == 0 {
		return len(w.tests) > 0 || slices.ContainsFunc(w.asked, func(s ast.Stmt) bool { _, ok := w.leaver(s); return ok })
	}
	return len(w.kept) <= maxKept && len(w.assignments()) > 0 && w.again() != ""
}

// scoped reports whether the repetition has variables of its own: where one call is asked, and one test decides.
func (w *whole) scoped() bool {
	if w.call == nil || len(w.tests) != 1 {
		return false
	}
	ask, ok := w.asked[0].(*ast.AssignStmt)
	return ok && !slices.ContainsFunc(ask.Lhs, func(e ast.Expr) bool { _, ok := e.(*ast.Ident); return !ok })
}

// usedBehind reports whether a variable has its answer behind the tests, and whether it is
// assigned to there first.
func (w *whole) usedBehind(v *types.Var) (used, rewritten bool) {
	info := w.fn.File.Package.Info
	for _, s := range w.list[w.end:] {
		if assign, ok := s.(*ast.AssignStmt); ok {
			to := slices.ContainsFunc(assign.Lhs, func(e ast.Expr) bool {
				id, ok := e.(*ast.Ident)
				return ok && info.ObjectOf(id) == v
			})
			if to && !slices.ContainsFunc(assign.Rhs, func(e ast.Expr) bool { return syntax.Names(info, e, v) }) {
				return false, s.Pos() < w.next.Acquire.Pos()
			}
		}
		if syntax.Names(info, s, v) {
			return true, false
		}
	}
	return false, false
}

// usedIn reports whether statements name a variable before they assign to it.
func (w *whole) usedIn(v *types.Var, stmts []ast.Stmt) bool {
	return slices.ContainsFunc(stmts, func(s ast.Stmt) bool { return syntax.Names(w.fn.File.Package.Info, s, v) })
}

// assignments are the statements that are asked besides those that leave, if all of them assign.
func (w *whole) assignments() (all []*ast.AssignStmt) {
	for _, s := range w.asked {
		if _, leaves := w.leaver(s); leaves {
			continue
		}
		a, ok := s.(*ast.AssignStmt)
		if !ok || len(a.Rhs) != 1 || a.Tok != token.DEFINE && a.Tok != token.ASSIGN {
			return nil
		}
		all = append(all, a)
	}
	return all
}

// again is the call of the function with what it was called with; "" where there is none
// that begins as this one did.
func (w *whole) again() string {
	decl := w.fn.Node.(*ast.FuncDecl)
	if decl.Type.TypeParams != nil {
		return ""
	}
	name := decl.Name.Name
	if decl.Recv != nil {
		if len(decl.Recv.List) != 1 || len(decl.Recv.List[0].Names) != 1 || w.reassigned(decl.Recv.List[0].Names[0]) {
			return ""
		}
		name = decl.Recv.List[0].Names[0].Name + "." + name
	}
	var args []string
	for _, field := range decl.Type.Params.List {
		for _, id := range field.Names {
			if w.reassigned(id) {
				return ""
			}
			arg := id.Name
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				arg += "..."
			}
			args = append(args, arg)
		}
		if len(field.Names) == 0 {
			return ""
		}
	}
	for _, s := range w.list[:w.first] {
		if test, ok := w.leaver(s); ok {
			s = &ast.ExprStmt{X: test.Cond}
		}
		if !repeats(w.fn, s, nil, maxFrames, may{lock: true}) {
			return ""
		}
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// reassigned reports whether a parameter may not have its first value, or has no name.
func (w *whole) reassigned(id *ast.Ident) bool {
	return id.Name == "_" || w.fn.Reassigns(id.Name, w.fn.Body.List...) ||
		syntax.Any(w.fn.Body, func(n ast.Node) bool {
			u, ok := n.(*ast.UnaryExpr)
			return ok && u.Op == token.AND && types.ExprString(u.X) == id.Name
		})
}

// relied reports whether the later section changes something that is shared, does not ask,
// and others change what is asked.
func (w *whole) relied() bool {
	changes := shared(w.fn, maxFrames, w.next.Body...)
	writes := false
	for _, written := range changes {
		writes = writes || written
	}
	asked := map[*types.Var]bool{}
	for v := range shared(w.fn, maxFrames, w.asked...) {
		if written, _ := w.fn.UsedElsewhere(v); written || changes[v] {
			asked[v] = true
		}
	}
	if !writes || len(asked) == 0 {
		return false
	}
	return !slices.ContainsFunc(w.next.Body, func(s ast.Stmt) bool {
		test, ok := s.(*ast.IfStmt)
		if !ok {
			return false
		}
		conds := []ast.Stmt{&ast.ExprStmt{X: test.Cond}}
		if test.Init != nil {
			conds = append(conds, test.Init)
		}
		for v := range shared(w.fn, maxFrames, conds...) {
			if asked[v] {
				return true
			}
		}
		return false
	})
}

// findSurplus finds what is to be closed.
func (w *whole) findSurplus() {
	if w.scoped() && len(w.kept) == 0 {
		w.left = closable(w.fn, surplusOf(w.fn, w.between(), w.next), w.next)
	}
}

// simple reports whether one of the questions is all that is asked.
func (w *whole) simple(questions []*question) bool {
	asks := len(w.tests)
	for _, s := range w.asked {
		if _, leaves := w.leaver(s); leaves {
			asks++
		}
	}
	return asks == 1 && len(w.kept) == 0 && slices.ContainsFunc(questions, func(q *question) bool {
		return q.next.Acquire == w.next.Acquire && q.first.Acquire == w.list[w.first]
	})
}
