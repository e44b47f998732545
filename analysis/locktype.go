package analysis

import (
	"go/ast"
	"go/types"
	"slices"
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
