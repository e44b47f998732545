package initbeforego

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

// failing is the form in which what the goroutine begins with may fail, as to listen: who starts it
// does that first, and returns the error.
const failing = "failing"

const noteFailing = "begun before the goroutine starts, which may be late"

// A beginning is what a goroutine begins with that may fail, and sets for others.
type beginning struct {
	fn    *mutate.Function
	from  *mutate.Function // that starts it
	made  *ast.AssignStmt  // ln, err := net.Listen(...)
	check *ast.IfStmt      // if err != nil { ... return }
	sets  []*ast.AssignStmt
	at    ast.Stmt // before which it goes
	fails string   // what the function that starts it returns then
}

// beginningOf is that of a function; ok is false if there is none.
func beginningOf(fn *mutate.Function) (b *beginning, ok bool) {
	if !fn.Started() || fn.File.Test || len(fn.Type.Params.List) > 0 {
		return nil, false
	}
	p := &plan{fn: fn, info: fn.File.Package.Info}
	if p.starts, ok = startsOf(fn); !ok || len(p.starts) != 1 || p.starts[0].file != fn.File.Rel {
		return nil, false
	}
	b = &beginning{fn: fn, from: p.starts[0].from}
	list := fn.Body.List
	for len(list) > 0 {
		if _, deferred := list[0].(*ast.DeferStmt); !deferred {
			break
		}
		list = list[1:]
	}
	if len(list) < 4 || !b.asks(list[0], list[1]) {
		return nil, false
	}
	list = list[2:]
	shared := false
	for len(list) > 0 {
		a, isAssign := list[0].(*ast.AssignStmt)
		if !isAssign || !p.movable(a) {
			break
		}
		b.sets, list = append(b.sets, a), list[1:]
		shared = shared || len(p.sharedIn(a)) > 0
	}
	if !shared || len(list) == 0 || !b.placed(p, list) {
		return nil, false
	}
	return b, true
}

// asks notes a call whose error the next statement asks for.
func (b *beginning) asks(made, check ast.Stmt) (ok bool) {
	info := b.fn.File.Package.Info
	if b.made, ok = made.(*ast.AssignStmt); !ok || b.made.Tok != token.DEFINE || len(b.made.Rhs) != 1 || len(b.made.Lhs) < 2 {
		return false
	}
	if _, call := ast.Unparen(b.made.Rhs[0]).(*ast.CallExpr); !call {
		return false
	}
	for _, e := range b.made.Lhs {
		if id, isName := e.(*ast.Ident); !isName || id.Name == "_" {
			return false
		}
	}
	err := info.ObjectOf(b.made.Lhs[len(b.made.Lhs)-1].(*ast.Ident))
	if b.check, ok = check.(*ast.IfStmt); !ok || err == nil || !syntax.IsError(err.Type()) || b.check.Init != nil || b.check.Else != nil || len(b.check.Body.List) == 0 {
		return false
	}
	cond, isComparison := ast.Unparen(b.check.Cond).(*ast.BinaryExpr)
	ret, returns := b.check.Body.List[len(b.check.Body.List)-1].(*ast.ReturnStmt)
	return isComparison && cond.Op == token.NEQ && syntax.Is(info, cond.X, err) && info.Types[cond.Y].IsNil() && returns && len(ret.Results) == 0
}

// placed finds where the beginning goes: what counts the goroutine in a group comes behind it. It is false if
// something means another thing there, or the function has no error to return.
func (b *beginning) placed(p *plan, rest []ast.Stmt) bool {
	s := p.starts[0]
	at := s.Index
	for at > 0 && counts(b.from, s.List[at-1]) {
		at--
	}
	b.at = s.List[at]
	info := b.fn.File.Package.Info
	inner := b.fn.File.Package.Types.Scope().Innermost(b.at.Pos())
	if inner == nil {
		return false
	}
	own := map[types.Object]bool{}
	for i, e := range b.made.Lhs {
		id := e.(*ast.Ident)
		own[info.Defs[id]] = true
		_, found := inner.LookupParent(id.Name, b.at.Pos())
		v, isVar := found.(*types.Var)
		if isVar && !syntax.PackageLevel(v) && (i < len(b.made.Lhs)-1 || v.Parent() != inner || !types.Identical(v.Type(), info.TypeOf(id))) {
			return false
		}
	}
	ok := true
	for _, code := range b.moves() {
		syntax.Walk(code, func(n ast.Node, path []ast.Node) {
			id, is := n.(*ast.Ident)
			if !is || !ok || len(path) > 0 && selected(id, path) {
				return
			}
			obj := info.Uses[id]
			switch {
			case obj == nil || own[obj] || isField(obj) || obj.Parent() == types.Universe:
			case p.isParameter(obj):
				e, given := s.given(p, obj)
				ok = given && types.ExprString(e) == id.Name
			default:
				_, lit := n.(*ast.FuncLit)
				ok = !lit && s.means(id, obj)
			}
		})
	}
	errName := info.Defs[b.made.Lhs[len(b.made.Lhs)-1].(*ast.Ident)]
	if !ok || slices.ContainsFunc(rest, func(s ast.Stmt) bool { return syntax.Names(info, s, errName) }) {
		return false
	}
	return b.returns()
}

// moves is the code that moves.
func (b *beginning) moves() []ast.Node {
	all := []ast.Node{b.made}
	for _, s := range b.check.Body.List {
		all = append(all, s)
	}
	for _, a := range b.sets {
		all = append(all, a)
	}
	return all
}

// returns finds what the function that starts the goroutine returns for an error.
func (b *beginning) returns() bool {
	if b.from.Type.Results == nil {
		return false
	}
	var parts []string
	info := b.from.File.Package.Info
	for _, f := range b.from.Type.Results.List {
		for range max(len(f.Names), 1) {
			zero, ok := typetext.Zero(b.from, info.TypeOf(f.Type), b.at.Pos())
			if !ok {
				return false
			}
			parts = append(parts, zero)
		}
	}
	last := b.from.Type.Results.List[len(b.from.Type.Results.List)-1]
	if !syntax.IsError(info.TypeOf(last.Type)) {
		return false
	}
	parts[len(parts)-1] = b.made.Lhs[len(b.made.Lhs)-1].(*ast.Ident).Name
	b.fails = "return " + strings.Join(parts, ", ")
	return true
}

// counts reports whether a statement counts goroutines in a wait group.
func counts(fn *mutate.Function, s ast.Stmt) bool {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	f := syntax.Callee(fn.File.Package.Info, call.Fun)
	return f != nil && f.FullName() == "(*sync.WaitGroup).Add"
}

// edit moves the beginning.
func (b *beginning) edit() mutate.Edit {
	stmts := []ast.Stmt{b.made, b.check}
	p := &plan{fn: b.fn, info: b.fn.File.Package.Info, moved: b.sets}
	e := b.fn.NewEdit("initbeforego", b.made, append(stmts, p.stmts()...)...)
	e.Form, e.Count, e.Note = failing, len(stmts)+len(b.sets), noteFailing
	for _, v := range p.shared() {
		heat, _ := p.elsewhere(v)
		e.Heat = max(e.Heat, heat)
	}
	return e
}

// apply moves the beginning before the start of the goroutine.
func (b *beginning) apply(m *mutate.Mutation, e mutate.Edit) error {
	var text strings.Builder
	text.WriteString("// " + e.Note + "\n" + b.fn.Text(b.made) + "\nif " + b.fn.Text(b.check.Cond) + " {\n")
	for _, s := range b.check.Body.List[:len(b.check.Body.List)-1] {
		if b.lastUse(s) { // the file would not compile without it
			text.WriteString(b.fn.Text(s) + "\n")
		}
	}
	text.WriteString(b.fails + "\n}\n")
	goes := []ast.Stmt{b.made, b.check}
	for _, a := range b.sets {
		text.WriteString(b.fn.Text(a) + "\n")
		goes = append(goes, a)
	}
	at := m.StmtOf(e.File, b.at)
	if at == nil {
		return mutate.Refuse(e, "another edit changed the start of the goroutine")
	}
	if err := m.InsertSnippet(e.File, at, false, text.String()); err != nil {
		return err
	}
	for _, s := range goes {
		stmt := m.StmtOf(e.File, s)
		if stmt == nil {
			return mutate.Refuse(e, "another edit changed what is to be moved")
		}
		if err := m.Remove(e.File, stmt); err != nil {
			return err
		}
	}
	return nil
}

// lastUse reports whether an import of the file is used in a statement and nowhere else.
func (b *beginning) lastUse(s ast.Stmt) bool {
	info := b.fn.File.Package.Info
	return syntax.Any(s, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		pkg, ok := info.Uses[id].(*types.PkgName)
		return ok && !syntax.Any(b.fn.File.AST, func(n ast.Node) bool {
			other, ok := n.(*ast.Ident)
			return ok && info.Uses[other] == types.Object(pkg) && !syntax.Within(ast.Node(other), ast.Node(s))
		})
	})
}
