package analysis

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// A lockType is a type of the module that people lock like a mutex: its own
// method Lock locks a mutex in it, and Unlock unlocks one, maybe only if locking is
// switched on, or with some counting beside it.
type lockType struct {
	rw bool // it has RLock and RUnlock of this sort, too
}

// findLockTypes finds the module's types of which Lock and Unlock lock and
// unlock a mutex of the receiver.
func (p *Program) findLockTypes() map[*types.TypeName]lockType {
	methods := map[*types.TypeName][]string{}
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				if decl, ok := d.(*ast.FuncDecl); ok {
					if t := p.passesOn(f, decl); t != nil {
						methods[t] = append(methods[t], decl.Name.Name)
					}
				}
			}
		}
	}
	found := map[*types.TypeName]lockType{}
	has := func(t *types.TypeName, name string) bool { return slices.Contains(methods[t], name) }
	for t := range methods {
		if has(t, "Lock") && has(t, "Unlock") {
			found[t] = lockType{rw: has(t, "RLock") && has(t, "RUnlock")}
		}
	}
	return found
}

// passesOn is the type that a method belongs to if it is a lock's and calls the
// method of its name on a mutex of its receiver, and no other lock's; else nil.
func (p *Program) passesOn(f *File, decl *ast.FuncDecl) *types.TypeName {
	fn, ok := f.Package.Info.Defs[decl.Name].(*types.Func)
	if !ok || decl.Body == nil || !slices.Contains(lockMethods[:4], decl.Name.Name) {
		return nil
	}
	sig := fn.Signature()
	if sig.Recv() == nil || !isPointer(sig.Recv().Type()) || sig.Params().Len()+sig.Results().Len() > 0 {
		return nil
	}
	calls, others := 0, 0
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		recv, _, called := p.selectedLock(f, call)
		if recv == nil || called.Pkg().Path() != "sync" {
			return true
		}
		if chain := p.chain(f, recv); len(chain) > 0 && chain[0].v == sig.Recv() && called.Name() == fn.Name() {
			calls++
		} else {
			others++
		}
		return true
	})
	n := namedOf(sig.Recv().Type())
	if n == nil || calls == 0 || others > 0 {
		return nil
	}
	return n.Origin().Obj()
}

// lockTypeOf is what is known of a type as a lock of the module's own.
func (p *Program) lockTypeOf(t types.Type) (l lockType, ok bool) {
	n, isNamed := types.Unalias(t).(*types.Named)
	if !isNamed {
		return lockType{}, false
	}
	l, ok = p.lockTypes()[n.Origin().Obj()]
	return l, ok
}

// isLockMethod reports whether a method is one of a lock: of package sync's, or
// of a type of the module.
func (p *Program) isLockMethod(fn *types.Func) bool {
	if fn.Pkg().Path() == "sync" {
		return true
	}
	recv := fn.Signature().Recv()
	if recv == nil || !p.owns(fn) {
		return false
	}
	l, ok := p.lockTypeOf(deref(recv.Type()))
	return ok && (l.rw || fn.Name() == "Lock" || fn.Name() == "Unlock")
}

// A lockHelper is a method that does nothing but call a method of a lock in its receiver:
//
//	func (c *cache) lock() { c.mu.Lock() }
type lockHelper struct {
	fields []link // from the receiver to the lock
	expr   string // the same as it is written behind the receiver: ".mu"
	method string // "Lock"
	rw     bool   // the lock is a sync.RWMutex
}

// findLockHelpers finds the module's methods that do nothing but call a method of a lock in
// their receiver. Those of lock types, see lockType, are none.
func (p *Program) findLockHelpers() map[*types.Func]lockHelper {
	found := map[*types.Func]lockHelper{}
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				decl, ok := d.(*ast.FuncDecl)
				if !ok || decl.Recv == nil || decl.Body == nil || len(decl.Body.List) != 1 {
					continue
				}
				fn, ok := f.Package.Info.Defs[decl.Name].(*types.Func)
				if !ok || fn.Signature().Params().Len()+fn.Signature().Results().Len() > 0 || p.passesOn(f, decl) != nil {
					continue
				}
				if h, ok := p.lockHelper(f, fn, decl.Body.List[0]); ok {
					found[fn] = h
				}
			}
		}
	}
	return found
}

// lockHelper is what a method with one statement is as a helper of a lock.
func (p *Program) lockHelper(f *File, fn *types.Func, stmt ast.Stmt) (h lockHelper, ok bool) {
	x, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return h, false
	}
	call, ok := ast.Unparen(x.X).(*ast.CallExpr)
	if !ok {
		return h, false
	}
	recv, s, method := p.lockCall(f, call)
	if recv == nil || s.Kind() == types.MethodExpr || !slices.Contains(lockMethods[:4], method) {
		return h, false
	}
	chain := append(p.chain(f, recv), embeddedPath(s)...)
	written := exprText(recv)
	if len(chain) < 2 || chain[0].v != fn.Signature().Recv() || !strings.HasPrefix(written, chain[0].v.Name()) {
		return h, false
	}
	for _, l := range chain[1:] {
		if l.v == nil || l.call != "" {
			return h, false
		}
	}
	last := chain[len(chain)-1].typ
	own, _ := p.lockTypeOf(deref(last))
	return lockHelper{chain[1:], written[len(chain[0].v.Name()):], method, isRW(last) || own.rw}, true
}

// LockCall is LockOf, and also resolves a call of a method that does nothing but call a
// method of a lock in its receiver: c.lock() is Lock of c.mu.
func (p *Program) LockCall(f *File, call *ast.CallExpr) (l Lock, method string, ok bool) {
	if l, method, ok = p.LockOf(f, call); ok || len(call.Args) > 0 {
		return l, method, ok
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return Lock{}, "", false
	}
	s := f.Package.Info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return Lock{}, "", false
	}
	fn, _ := s.Obj().(*types.Func)
	if fn == nil {
		return Lock{}, "", false
	}
	h, ok := p.lockHelpers()[fn.Origin()]
	if !ok {
		return Lock{}, "", false
	}
	recv := strip(sel.X)
	chain := p.chain(f, recv)
	if chain == nil {
		return Lock{}, "", false
	}
	chain = slices.Concat(chain, embeddedPath(s), h.fields)
	return Lock{Expr: exprText(recv) + h.expr, Key: p.keyOf(chain), RW: h.rw}, h.method, true
}
