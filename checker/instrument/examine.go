package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis"
)

// examine reports what in a file is not under control.
func (in *Instrumenter) examine(pkg *analysis.Package, f *analysis.File, report func(token.Pos, string)) {
	linked := linkedIn(pkg)
	for _, d := range f.AST.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			switch {
			case fn.Body == nil && linked[fn.Name.Name] != "": // calls are redirected
			case fn.Body == nil:
				report(fn.Pos(), "function "+fn.Name.Name+" has no Go body")
			case analysis.Restricted(fn.Doc):
				report(fn.Pos(), "function "+fn.Name.Name+" is left as it is, because of its directives")
			case analysis.Excluded(fn.Doc):
				report(fn.Pos(), "function "+fn.Name.Name+" is excluded: races in it are not seen")
			}
		}
	}
	for _, group := range f.AST.Comments {
		for _, c := range group.List {
			if local, name := linkname(c.Text); strings.HasPrefix(c.Text, "//go:linkname ") && linked[local] == "" {
				report(c.Pos(), strings.TrimSpace("go:linkname "+name))
			}
		}
	}
	ast.Inspect(f.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return !isBenchmark(pkg.Info, n) // it is not run
		case *ast.CallExpr:
			fn := callee(pkg.Info, n)
			if reason, _ := in.crosses(pkg, n); reason != "" && in.beyond(fn) == "" && !in.unordered[fn.Pkg().Path()] {
				report(n.Pos(), reason)
			}
		case *ast.Ident:
			if name := reflected(pkg.Info.Uses[n]); name != "" {
				report(n.Pos(), name+" operates on channels")
			}
			if fn, ok := pkg.Info.Uses[n].(*types.Func); ok && in.uncontrolled(fn) && !strings.Contains(standIns[qualifiedName(fn)], ".") {
				if does := in.beyond(fn); does != "" {
					report(n.Pos(), does)
				}
			}
		}
		return true
	})
}

// isBenchmark reports whether package testing takes a function for a benchmark.
func isBenchmark(info *types.Info, d *ast.FuncDecl) bool {
	fn, ok := info.Defs[d.Name].(*types.Func)
	if !ok || !strings.HasPrefix(d.Name.Name, "Benchmark") || d.Recv != nil || fn.Signature().Params().Len() != 1 {
		return false
	}
	return types.TypeString(fn.Signature().Params().At(0).Type(), nil) == "*testing.B"
}

// reflected names a function of package reflect that operates on channels.
func reflected(o types.Object) string {
	f, ok := o.(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "reflect" {
		return ""
	}
	switch f.Name() {
	case "Select", "MakeChan", "Send", "TrySend", "Recv", "TryRecv", "Close":
		return "reflect." + f.Name()
	}
	return ""
}

// crosses is the reason why a call of a function that is not instrumented leaves
// control, "" if it does not. The function does something that is not controlled,
// or it gets a function that it may run in another goroutine, a *testing.M, or a
// channel. shares reports that it gets or returns a channel.
func (in *Instrumenter) crosses(pkg *analysis.Package, call *ast.CallExpr) (reason string, shares bool) {
	fn := callee(pkg.Info, call)
	if fn == nil {
		return "", false
	}
	if v := in.foreign(pkg, call); v != nil {
		return fmt.Sprintf("%s of %s.%s, which is not instrumented", fn.Name(), v.Pkg().Path(), v.Name()), false
	}
	if !in.uncontrolled(fn) || strings.Contains(standIns[qualifiedName(fn)], ".") {
		return "", false
	}
	if in.ofLibrary(pkg.Path) && qualifiedName(fn) == "runtime.AddCleanup" {
		return "", false // see sched.AddCleanup
	}
	if selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && ofShim(pkg.Info.Selections[selector]) != "" {
		return "", false // it is known when it is called
	}
	sig := fn.Origin().Signature()
	gives := slices.ContainsFunc(slices.Collect(sig.Params().Variables()), isOrHasChan)
	takes := slices.ContainsFunc(slices.Collect(sig.Results().Variables()), isOrHasChan)
	shares = gives || takes
	does := in.beyond(fn)
	switch {
	case does != "":
		return does, shares
	case in.unordered[fn.Pkg().Path()]:
		return fn.FullName() + " is not replaced", shares
	case startsGoroutines(fn):
		return fmt.Sprintf("gives a function to %s, which may run it in a goroutine outside control", fn.FullName()), shares
	case givesMain(fn):
		return "gives a *testing.M to " + fn.FullName() + ", which is not instrumented", shares
	case gives:
		return "gives a channel to " + fn.FullName() + ", which is not instrumented", true
	case takes:
		return "takes a channel from " + fn.FullName() + ", which is not instrumented", true
	}
	return "", false
}

// foreign is the variable of a package that is not instrumented whose method a call
// calls, if a shim has a type of its own for it; nil for any other call. The lock, or what
// it is, stays what it was: syscall.ForkLock.RLock().
func (in *Instrumenter) foreign(pkg *analysis.Package, call *ast.CallExpr) *types.Var {
	method, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	selector, ok := ast.Unparen(method.X).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	v, ok := pkg.Info.Uses[selector.Sel].(*types.Var)
	if !ok || !isGlobal(v) || !in.uncontrolled(v) {
		return nil
	}
	if named, ok := types.Unalias(v.Type()).(*types.Named); !ok || !in.replaced(named) {
		return nil
	}
	return v
}

func isOrHasChan(v *types.Var) bool { return hasChan(v.Type()) }

// callee is the declared function or method that a call calls, if that is known.
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	e := ast.Unparen(call.Fun)
	switch x := e.(type) {
	case *ast.IndexExpr:
		e = x.X
	case *ast.IndexListExpr:
		e = x.X
	}
	var id *ast.Ident
	switch x := e.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	}
	fn, _ := info.Uses[id].(*types.Func)
	return fn
}

// hasChan reports whether a value of a type is a channel or has channels as elements.
func hasChan(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Slice:
		return hasChan(t.Elem())
	case *types.Array:
		return hasChan(t.Elem())
	case *types.Map:
		return hasChan(t.Elem())
	}
	return false
}

// uncontrolled reports whether an object belongs to a package that is neither
// instrumented nor replaced.
func (in *Instrumenter) uncontrolled(o types.Object) bool {
	if o.Pkg() == nil {
		return false
	}
	path := o.Pkg().Path()
	return in.facts[path] == nil && in.shims[path] == nil
}

// ordering are packages that order what goroutines do. Where one is not replaced, the engine
// does not see what orders two accesses, and would take them for a data race.
var ordering = []string{"context", "sync", "sync/atomic", "testing/synctest", "time"}

// unshimmed undoes the replacement of packages where it would not build: the
// program uses a name that the shim lacks, or a package that is not instrumented
// declares something with a type that the shim defines itself. For the sake of a
// dependency that nobody named nothing is undone: it is left.
func (in *Instrumenter) unshimmed() []Uncontrolled {
	var list []Uncontrolled
	for {
		crossing := map[string]Uncontrolled{}
		left := false
		for _, pkg := range in.rewritten() {
			if in.orders[pkg.Path] {
				continue // nobody comes there
			}
			found := map[string]Uncontrolled{}
			for _, f := range pkg.Files {
				in.crossings(pkg, f, found)
			}
			if len(found) == 0 || !in.automatic(pkg.Path) {
				maps.Copy(crossing, found)
				continue
			}
			why := found[slices.Sorted(maps.Keys(found))[0]]
			list = append(list, Uncontrolled{why.Pos, pkg.Path + " is not instrumented, because " + why.Reason})
			in.leave(pkg.Path)
			left = true
		}
		if left {
			continue // and what crosses is to be seen anew
		}
		if len(crossing) == 0 {
			return list
		}
		for _, path := range slices.Sorted(maps.Keys(crossing)) {
			delete(in.shims, path)
			u := crossing[path]
			if slices.Contains(ordering, path) {
				in.unordered[path] = true
				u.Reason += "; data races are not looked for"
			}
			list = append(list, u)
		}
	}
}

// keepPipes undoes the replacement of package io in a program that has no pipes, which
// are all that it replaces.
func (in *Instrumenter) keepPipes() {
	s := in.shims["io"]
	if s == nil {
		return
	}
	for _, pkg := range in.rewritten() {
		for _, o := range pkg.Info.Uses {
			if o.Pkg() != nil && o.Pkg().Path() == "io" && (o.Name() == "Pipe" || s.names[o.Name()]) {
				return
			}
		}
	}
	delete(in.shims, "io")
}

// crossings notes the first reason of each package not to replace it.
func (in *Instrumenter) crossings(pkg *analysis.Package, f *analysis.File, found map[string]Uncontrolled) {
	foreign := map[*ast.Ident]bool{} // variables whose methods are called, and no more
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && in.foreign(pkg, call) != nil {
			foreign[ast.Unparen(ast.Unparen(call.Fun).(*ast.SelectorExpr).X).(*ast.SelectorExpr).Sel] = true
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		o := pkg.Info.Uses[id]
		if o == nil || o.Pkg() == nil || foreign[id] {
			return true
		}
		note := func(path, reason string) {
			if _, ok := found[path]; !ok {
				found[path] = Uncontrolled{in.program.Fset.Position(id.Pos()), reason}
			}
		}
		if s := in.shims[o.Pkg().Path()]; s != nil && o.Parent() == o.Pkg().Scope() {
			if _, ok := s.names[o.Name()]; !ok {
				note(o.Pkg().Path(), o.Pkg().Path()+" is not replaced: its replacement has no "+o.Name())
			}
			return true
		}
		if _, ok := o.(*types.PkgName); !ok && in.uncontrolled(o) {
			if named := mentioned(o.Type(), in.replaced); named != nil {
				path := named.Obj().Pkg().Path()
				note(path, path+" is not replaced: "+o.Pkg().Path()+"."+o.Name()+", which is not instrumented, has to do with its "+named.Obj().Name())
			}
		}
		return true
	})
}

// replaced reports whether a type is one that a shim defines itself.
func (in *Instrumenter) replaced(t *types.Named) bool {
	pkg := t.Obj().Pkg()
	return pkg != nil && in.shims[pkg.Path()] != nil && in.shims[pkg.Path()].names[t.Obj().Name()]
}

// mentioned finds a wanted type among those that another type mentions.
func mentioned(t types.Type, wanted func(*types.Named) bool) *types.Named {
	return search(t, wanted, map[types.Type]bool{})
}

func search(t types.Type, wanted func(*types.Named) bool, seen map[types.Type]bool) *types.Named {
	if seen[t] {
		return nil
	}
	seen[t] = true
	inner := func(ts ...types.Type) *types.Named {
		for _, t := range ts {
			if n := search(t, wanted, seen); n != nil {
				return n
			}
		}
		return nil
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if wanted(t) {
			return t
		}
		return inner(slices.Collect(t.TypeArgs().Types())...)
	case *types.Signature:
		return inner(t.Params(), t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			if n := inner(v.Type()); n != nil {
				return n
			}
		}
	case *types.Map:
		return inner(t.Key(), t.Elem())
	case interface{ Elem() types.Type }: // pointer, slice, array, channel
		return inner(t.Elem())
	}
	return nil
}
