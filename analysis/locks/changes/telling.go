package changes

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/guards"
	"mendel/analysis/locks/order"
	"mendel/analysis/locks/program"
	"mendel/analysis/locks/splits"
	"mendel/analysis/locks/waits"
	"mendel/analysis/promise"
	"mendel/analysis/syntax"
)

// Who tells others of a change in the section that makes it tells them in the order of the
// changes:
//
//	d.mu.Lock()
//	d.value = value
//	d.tell(value)
//	d.mu.Unlock()
//
// Behind the section, or in a goroutine, an older value may come after a newer one. It does
// not where another lock is held around both, and does not matter where nothing is handed over
// that was changed, or only a line is written to a log. Who may call back cannot be told with the lock held: where the
// documentation says so, nobody relies on the order.

// A tell is a call of code of others, or a send, of a function.
type tell struct{ fn, key string }

// telling finds what is told without a lock of a change that the original tells of in the
// section that makes it.
func (c *comparison) telling() {
	was := tellings(c.before)
	free := make(map[tell]bool) // in the original, too, at another place of the function
	for _, p := range pausesFree(c.before) {
		free[tell{rootOf(p.In), p.Key}] = true
	}
	for _, p := range pausesFree(c.after) {
		t := tell{rootOf(p.In), p.Key}
		if lock, told := was[t]; told && !free[t] && !c.tellsFreely(p.Key) {
			c.reportAt(ToldLate, p.In, p.At, "", "%s without %s, under which what it tells is changed: an older change can be told after a newer one", p.What, shortKey(lock))
		}
	}
}

// tellsFreely reports whether the order does not matter in which a pause of the original tells: it logs, or its
// documentation says so.
func (c *comparison) tellsFreely(key string) bool {
	for _, fn := range c.before.Shipped() {
		for _, p := range waits.PausesIn(c.before, fn) {
			if call, ok := p.At.(*ast.CallExpr); ok && p.Key == key && (logs(fn, call) || mayCallBack(fn, call)) {
				return true
			}
		}
	}
	return false
}

// logs reports whether a function is called that is given a format, and what belongs into it.
func logs(fn *program.Func, call *ast.CallExpr) bool {
	sig, ok := fn.Info().TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok || !sig.Variadic() || sig.Params().Len() < 2 || sig.Results().Len() > 0 {
		return false
	}
	format, is := sig.Params().At(sig.Params().Len() - 2).Type().Underlying().(*types.Basic)
	args, list := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	return is && list && format.Kind() == types.String && types.IsInterface(args.Elem())
}

// mayCallBack reports whether the documentation of what is called says that it may use what calls it, and nothing
// of an order in which it is told.
func mayCallBack(fn *program.Func, call *ast.CallExpr) bool {
	doc := docOf(fn, call)
	return promise.CallsBack(doc) && !promise.InOrder(doc)
}

// mayTake reports whether the documentation of what is called says that it may use what takes a lock: by the name of a
// method, or, of a lock that the original has, in general.
func mayTake(m *locks.View, fn *program.Func, call *ast.CallExpr, lock string, old bool) bool {
	allowed := promise.Allowed(docOf(fn, call))
	return allowed != "" && (old || slices.ContainsFunc(m.Shipped(), func(to *program.Func) bool {
		return to.Object != nil && to.Object.Exported() && order.Takes(m, to)[lock] && slices.Contains(strings.FieldsFunc(allowed, notInName), to.Object.Name())
	}))
}

func notInName(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// docOf is the documentation of what is called: of the field or method, of its type, and of the functions that are
// given one.
func docOf(fn *program.Func, call *ast.CallExpr) string {
	info := fn.Info()
	var about []types.Object
	if v := syntax.Variable(info, call.Fun); v != nil {
		about = append(about, v)
	}
	if f := syntax.Callee(info, call.Fun); f != nil {
		about = append(about, f)
	}
	t := info.TypeOf(call.Fun)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && types.IsInterface(info.TypeOf(sel.X)) {
		t = info.TypeOf(sel.X)
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		about = append(about, named.Obj())
	}
	var doc strings.Builder
	for _, f := range fn.File.Package.Files {
		doc.WriteString(promise.Of(f, about...) + "\n")
	}
	return doc.String()
}

// rootOf is the name of the declaration that a function is, or is written in.
func rootOf(fn *program.Func) string {
	if fn.Decl != nil {
		return fn.Decl.Name
	}
	return fn.Name
}

// tells reports whether a pause hands something to others: a callback, or a send.
func tells(p waits.Pause) bool { return p.Foreign || strings.HasPrefix(p.Key, "sends to ") }

// tellings are the keys of the locks under which functions tell what they change.
func tellings(m *locks.View) map[tell]string {
	found := make(map[tell]string)
	for _, p := range waits.PausesHeld(m) {
		if tells(p.Pause) && tellsChange(m, p) {
			found[tell{rootOf(p.In), p.Key}] = p.Lock
		}
	}
	return found
}

// tellsChange reports whether a pause hands over what its function assigns, under the pause's
// lock, to a variable of others: the value, or the variable itself.
func tellsChange(m *locks.View, p waits.HeldPause) bool {
	var handed []ast.Expr
	switch n := p.At.(type) {
	case *ast.CallExpr:
		handed = n.Args
	case *ast.SendStmt:
		handed = []ast.Expr{n.Value}
	}
	info := p.In.Info()
	locals := func(nodes ...ast.Expr) (found []types.Object) {
		for _, e := range nodes {
			ast.Inspect(e, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				if v, ok := info.Uses[id].(*types.Var); ok && !v.IsField() && v.Parent() != v.Pkg().Scope() && v != p.In.Recv {
					found = append(found, v)
				}
				return true
			})
		}
		return found
	}
	given := locals(handed...)
	uses := splits.UsesOf(m, p.In)
	told := func(u access.Use) bool {
		return slices.ContainsFunc(uses, func(o access.Use) bool {
			return o.Key == u.Key && slices.ContainsFunc(handed, func(e ast.Expr) bool { return syntax.Within[ast.Node](o.At, e) })
		})
	}
	changes := false
	ast.Inspect(p.In.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || changes {
			return !changes
		}
		for _, u := range uses {
			if !u.Write || guards.At(m, u, p.Lock) != guards.Always || !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return syntax.Within[ast.Node](u.At, e) }) {
				continue
			}
			changes = changes || told(u) || slices.ContainsFunc(locals(s.Rhs...), func(v types.Object) bool { return slices.Contains(given, v) })
		}
		return !changes
	})
	return changes
}

// pausesFree lists the pauses that the program's functions make without any lock.
func pausesFree(m *locks.View) []waits.HeldPause {
	var list []waits.HeldPause
	for _, fn := range m.Shipped() {
		free := func(at ast.Node) bool {
			return !slices.ContainsFunc(m.Flows(fn), func(f *locks.Flow) bool {
				_, some := f.At(m.NodeOf(fn, at))
				return some
			})
		}
		waits.PausesAt(m, fn, free, func(p waits.Pause) { list = append(list, waits.HeldPause{Lock: "", Pause: p, In: fn}) })
	}
	return list
}
