package taken

import (
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A Loss is a way out of a function on which it does not give back what it took.
type Loss struct {
	File  *analysis.File
	Func  string
	Take  ast.Stmt // or the case of a select
	Key   string   // of what it is taken from
	Of    ast.Expr // what it is taken from, or the value that is to be told
	Give  string   // what gives it back, as the function can say it
	At    ast.Stmt // before which it is to be given back; the end of a list: its last statement
	After bool     // it is to be given back behind that
	Word  bool     // it is a value that is to be told
	Exit  ast.Stmt // the way out; nil: the end of the list
}

// Losses lists the ways out on which functions of some packages, tests left out, lose what they took, in source order.
func Losses(pkgs []*analysis.Package) (all []Loss) {
	givers := giversOf(pkgs)
	visit(pkgs, func(f *analysis.File, name string, typ *ast.FuncType, body *ast.BlockStmt) {
		l := &losing{info: f.Package.Info, typ: typ, givers: givers}
		syntax.WalkOwn(body, func(n ast.Node, path []ast.Node) {
			if c, ok := n.(*ast.CommClause); ok && c.Comm != nil {
				all = append(all, l.of(f, name, c.Comm, path, n, -1)...)
			}
			for i, s := range syntax.ListOf(n) {
				all = append(all, l.of(f, name, s, path, n, i)...)
			}
		})
	})
	all = append(all, words(pkgs)...)
	slices.SortStableFunc(all, func(a, b Loss) int {
		if a.File != b.File {
			return strings.Compare(a.File.Name, b.File.Name)
		}
		return int(a.At.Pos() - b.At.Pos())
	})
	return all
}

// givers are the functions that give back things, and how: by the key of a thing, and by the function.
type givers struct {
	by    map[string][]giver   // of functions that return something else than what they took
	calls map[*types.Func][]Op // what each function gives back, or one that it calls
}

// A giver is a place that gives something back.
type giver struct {
	op    Op
	text  string // of what is sent
	taker string // the function, if it also takes it
}

// giversOf finds them.
func giversOf(pkgs []*analysis.Package) *givers {
	g := &givers{map[string][]giver{}, map[*types.Func][]Op{}}
	called := map[*types.Func][]*types.Func{}
	visit(pkgs, func(f *analysis.File, name string, _ *ast.FuncType, body *ast.BlockStmt) {
		info := f.Package.Info
		decl := declared(f, body)
		syntax.WalkOwn(body, func(n ast.Node, path []ast.Node) {
			if call, ok := n.(*ast.CallExpr); ok && decl != nil {
				if to := syntax.Callee(info, call.Fun); to != nil {
					called[decl] = append(called[decl], to)
				}
			}
			looping := slices.ContainsFunc(append(path, n), func(n ast.Node) bool {
				switch n.(type) {
				case *ast.ForStmt, *ast.RangeStmt:
					return true
				}
				return false
			})
			for _, s := range syntax.ListOf(n) {
				if d, ok := s.(*ast.DeferStmt); ok {
					s = &ast.ExprStmt{X: d.Call}
				}
				o, ok := OpOf(info, s)
				if !ok || !given[o.way] && o.way != receives && o.way != sends || !o.token(info, s) || looping {
					continue
				}
				v := giver{op: o}
				if o.val != nil {
					v.text = types.ExprString(o.val)
				}
				if takesIn(info, body, o) {
					v.taker = name
				}
				g.by[o.Key] = append(g.by[o.Key], v)
				if decl != nil {
					g.calls[decl] = append(g.calls[decl], o)
				}
			}
		})
	})
	for range 2 { // calls deep
		deeper := maps.Clone(g.calls)
		for from, list := range called {
			for _, to := range list {
				for _, o := range g.calls[to] {
					if !slices.ContainsFunc(deeper[from], o.Like) {
						deeper[from] = append(slices.Clip(deeper[from]), o)
					}
				}
			}
		}
		g.calls = deeper
	}
	return g
}

// declared is the declared function with a body, or around the literal that has it; nil: there is none.
func declared(f *analysis.File, body *ast.BlockStmt) *types.Func {
	for _, d := range f.AST.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Pos() <= body.Pos() && body.End() <= fd.End() {
			obj, _ := f.Package.Info.Defs[fd.Name].(*types.Func)
			return obj
		}
	}
	return nil
}

// takesIn reports whether a function takes what an operation gives back.
func takesIn(info *types.Info, body *ast.BlockStmt, give Op) (found bool) {
	syntax.WalkOwn(body, func(n ast.Node, _ []ast.Node) {
		if s, ok := n.(ast.Stmt); ok && !found {
			o, ok := OpOf(info, s)
			found = ok && give.GivesBack(o)
		}
	})
	return found
}

// A losing looks at one function.
type losing struct {
	info   *types.Info
	typ    *ast.FuncType
	givers *givers

	// of one taking
	take  Op
	lost  []Loss
	whole bool // some way out succeeds with what was taken
	kept  bool // on some way that succeeds it is given back: nobody else has to
}

// of are the ways out behind a statement of a list on which what it takes is lost. around are the nodes around the
// node that has the list.
func (l *losing) of(f *analysis.File, name string, s ast.Stmt, around []ast.Node, owner ast.Node, index int) []Loss {
	take, ok := OpOf(l.info, s)
	if !ok || backs[take.way] == nil || take.way == counts || !take.token(l.info, s) || !l.certain(s) {
		return nil
	}
	text := l.back(take)
	if text == "" {
		return nil
	}
	l.take, l.lost, l.whole, l.kept = take, nil, false, false
	list := syntax.ListOf(owner)
	if given, ends := l.follow(list[index+1:], false, false); ends {
		l.outward(owner, around, given)
	}
	if !l.whole || l.kept {
		return nil
	}
	for i := range l.lost {
		l.lost[i].File, l.lost[i].Func, l.lost[i].Take, l.lost[i].Key, l.lost[i].Of, l.lost[i].Give = f, name, s, take.Key, take.Of, text
	}
	return l.lost
}

// certain reports whether behind a statement something is taken: an if asks whether it was, and leaves if not.
func (l *losing) certain(s ast.Stmt) bool {
	q, ok := s.(*ast.IfStmt)
	return !ok || q.Else == nil && l.leaves(q.Body.List)
}

// back is what gives back what is taken, as others do; "": nobody does.
func (l *losing) back(take Op) string {
	for _, g := range l.givers.by[take.Key] {
		if !g.op.GivesBack(take) || g.taker != "" {
			continue
		}
		switch g.op.way {
		case receives:
			return "<-" + take.On
		case sends:
			return take.On + " <- " + g.text
		}
		if g.op.call == nil {
			continue
		}
		var args []string
		for _, a := range take.call.Args {
			if !syntax.IsContext(l.info.TypeOf(a)) {
				if !syntax.Plain(a) && !syntax.Constant(l.info, a) {
					return ""
				}
				args = append(args, types.ExprString(a))
			}
		}
		if len(args) != len(g.op.call.Args) {
			return ""
		}
		return take.On + "." + string(g.op.way) + "(" + strings.Join(args, ", ") + ")"
	}
	return ""
}

// follow goes on behind the taking through statements, nested: in a list of its own. It says whether what was taken is
// given back at their end, and whether control comes there.
func (l *losing) follow(list []ast.Stmt, given, nested bool) (back, ends bool) {
	first := given
	for i, s := range list {
		if ret, ok := s.(*ast.ReturnStmt); ok {
			l.leave(ret, list, i, given || l.gives(ret), first, nested)
			return given, false
		}
		inner := syntax.Lists(s)
		if len(inner) == 0 {
			given = given || l.gives(s)
		}
		for _, in := range inner {
			if back, ends := l.follow(in, given, true); ends {
				given = given || back
			}
		}
		if _, branch := s.(*ast.BranchStmt); !branch && l.leaves(list[i:i+1]) {
			return given, false
		}
	}
	return given, true
}

// leave notes a return behind the taking; at the beginning of its list what was taken is given back or not.
func (l *losing) leave(ret *ast.ReturnStmt, list []ast.Stmt, i int, given, first, nested bool) {
	switch fails := l.fails(ret, nested); {
	case !fails:
		l.whole, l.kept = true, l.kept || given
	case !given:
		at := ast.Stmt(ret)
		if nested && !slices.ContainsFunc(list[:i], func(s ast.Stmt) bool { return len(syntax.Lists(s)) > 0 }) {
			at = list[0]
		}
		l.lost = append(l.lost, Loss{At: at, Exit: ret})
	}
}

// outward goes on behind the list of a node, with what was taken in it, to the end of the function.
func (l *losing) outward(owner ast.Node, around []ast.Node, given bool) {
	own, at := syntax.ListOf(owner), len(around)-1
	for at >= 0 && (!isList(around[at]) || isClauses(around[at])) {
		switch around[at].(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			l.whole, l.kept = true, l.kept || given // it goes round with it
			return
		}
		at--
	}
	if at < 0 {
		l.whole, l.kept = true, l.kept || given
		return
	}
	stmt := owner
	if at+1 < len(around) {
		stmt = around[at+1]
	}
	rest := behind(syntax.ListOf(around[at]), stmt)
	if l.passes(stmt, own) {
		l.end(own, rest, around[:at+1], given)
		return
	}
	if given, ends := l.follow(rest, given, false); ends {
		l.outward(around[at], around[:at], given)
	}
}

// end notes the end of a list in which something was taken, behind which control goes on as it does where nothing was
// taken.
func (l *losing) end(own, rest []ast.Stmt, around []ast.Node, given bool) {
	then := &losing{info: l.info, typ: l.typ, givers: l.givers, take: l.take}
	if _, ends := then.follow(rest, given, true); ends {
		last := len(around) - 1
		then.outward(around[last], around[:last], given)
	}
	switch {
	case then.whole:
		l.whole, l.kept = true, l.kept || then.kept
	case len(then.lost) > 0 && len(own) > 0:
		l.lost = append(l.lost, Loss{At: own[len(own)-1], After: true})
	}
}

// passes reports whether control may come behind a statement otherwise than through a list in it.
func (l *losing) passes(stmt ast.Node, own []ast.Stmt) bool {
	s, ok := stmt.(ast.Stmt)
	if !ok || isList(stmt) && !isClauses(stmt) {
		return false
	}
	chosen, found := false, false // some list is taken in any case; own was among them
	for _, in := range syntax.Lists(s) {
		if !found && len(in) == len(own) && (len(in) == 0 || in[0] == own[0]) {
			found = true
		} else if !l.leaves(in) {
			return true
		}
	}
	switch s := s.(type) {
	case *ast.SelectStmt:
		chosen = true
	case *ast.SwitchStmt:
		chosen = hasDefault(s.Body)
	case *ast.TypeSwitchStmt:
		chosen = hasDefault(s.Body)
	case *ast.IfStmt:
		last := s
		for {
			next, more := last.Else.(*ast.IfStmt)
			if !more {
				break
			}
			last = next
		}
		chosen = last.Else != nil
	case *ast.LabeledStmt:
		chosen = true
	}
	return !chosen
}

// hasDefault reports whether a switch has a default.
func hasDefault(body *ast.BlockStmt) bool {
	return slices.ContainsFunc(body.List, func(s ast.Stmt) bool { return s.(*ast.CaseClause).List == nil })
}

// behind are the statements of a list behind one of them.
func behind(list []ast.Stmt, n ast.Node) []ast.Stmt {
	for i, s := range list {
		if ast.Node(s) == n {
			return list[i+1:]
		}
	}
	return nil
}

// isList reports whether a node has statements.
func isList(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// isClauses reports whether a block is that of a select or switch.
func isClauses(n ast.Node) bool {
	b, ok := n.(*ast.BlockStmt)
	return ok && len(b.List) > 0 && syntax.IsClause(b.List[0])
}

// leaves reports whether a list ends by leaving the function or what is around it.
func (l *losing) leaves(list []ast.Stmt) bool { return program.LeavesAtEnd(l.info, list) }

// gives reports whether a statement gives back what was taken, now or later, itself or by what it calls.
func (l *losing) gives(s ast.Stmt) (found bool) {
	var kept []ast.Node // function literals that are handed on, or for later
	syntax.Walk(s, func(n ast.Node, path []ast.Node) {
		if lit, ok := n.(*ast.FuncLit); ok && len(path) > 0 {
			switch path[len(path)-1].(type) {
			case *ast.ReturnStmt, *ast.AssignStmt, *ast.KeyValueExpr, *ast.CompositeLit:
				kept = append(kept, lit)
			}
		}
		found = found || !syntax.Within(n, kept...) && l.givesIt(n)
	})
	return found
}

// givesIt reports whether a node itself gives back what was taken.
func (l *losing) givesIt(n ast.Node) bool {
	if s, ok := n.(ast.Stmt); ok {
		if o, ok := OpOf(l.info, s); ok && o.GivesBack(l.take) {
			return true
		}
	}
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	if o, ok := ofCall(l.info, call); ok && o.GivesBack(l.take) {
		return true
	}
	f := syntax.Callee(l.info, call.Fun)
	return f != nil && slices.ContainsFunc(l.givers.calls[f], func(o Op) bool { return o.GivesBack(l.take) })
}

// fails reports whether a return says that the function has failed: by an error, false or nil, beside which it returns
// nothing that anybody could give back.
func (l *losing) fails(ret *ast.ReturnStmt, nested bool) bool {
	n := len(ret.Results)
	if n == 0 {
		return false
	}
	for _, r := range ret.Results[:n-1] {
		if !syntax.Constant(l.info, r) {
			return false
		}
	}
	last := ret.Results[n-1]
	tv := l.info.Types[last]
	switch {
	case tv.IsNil():
		return n == 1 && !syntax.IsError(l.resultType())
	case tv.Value != nil && tv.Value.Kind() == constant.Bool:
		return !constant.BoolVal(tv.Value)
	case l.resultType() != nil && syntax.IsError(l.resultType()):
		return n > 1 || nested
	}
	return false
}

// resultType is the type of the function's last result; nil: it has none.
func (l *losing) resultType() types.Type {
	if l.typ.Results == nil || len(l.typ.Results.List) == 0 {
		return nil
	}
	return l.info.TypeOf(l.typ.Results.List[len(l.typ.Results.List)-1].Type)
}
