package analysis

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// deref is the type that a pointer points to, or the type itself.
func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// namedOf is the named type of a value or of what it points to; nil for unnamed types.
func namedOf(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		n, _ := types.Unalias(p.Elem()).(*types.Named)
		return n
	}
	return nil
}

// isSync reports whether a variable of the type synchronises by itself, so that
// its uses need no guard: types of sync, sync/atomic and golang.org/x/sync,
// pointers to them, arrays of them, and structs of nothing else. Channels
// need no mention: sending and receiving do not write the variable.
func isSync(t types.Type) bool {
	if t == nil {
		return false
	}
	if n := namedOf(t); n != nil && n.Obj().Pkg() != nil {
		path := n.Obj().Pkg().Path()
		if path == "sync" || path == "sync/atomic" || strings.HasPrefix(path, "golang.org/x/sync/") {
			return true
		}
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Array:
		return isSync(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if !isSync(f.Type()) {
				return false
			}
		}
		return t.NumFields() > 0
	}
	return false
}

// selfGuarded are the packages whose types may be used by several goroutines
// at once, at least in the methods that programs usually call. Of any other
// foreign type a method with a pointer receiver is taken to write.
var selfGuarded = []string{
	"context", "crypto/tls", "database/sql", "expvar", "go/token", "html/template", "log", "log/slog",
	"net", "net/http", "net/http/httptest", "net/rpc", "net/url", "os", "os/exec", "os/signal", "reflect", "regexp",
	"runtime", "sync", "sync/atomic", "testing", "text/template", "time",
	"golang.org/x/sync/errgroup", "golang.org/x/sync/semaphore", "golang.org/x/sync/singleflight",
}

func guardsItself(pkg *types.Package) bool {
	return pkg != nil && slices.Contains(selfGuarded, pkg.Path())
}

// readsOnly reports whether a method only reads, by its name.
func readsOnly(fn *types.Func) bool {
	switch fn.Name() {
	case "Len", "Cap", "String", "Error", "Bytes", "Cmp", "Equal", "Front", "Back", "Size", "Available", "Buffered":
		return true
	}
	return strings.HasPrefix(fn.Name(), "Is") || strings.HasPrefix(fn.Name(), "Get")
}

// effect returns, by argument, what a call does to the target of a pointer, to
// elements of a slice or map, that it is given.
func (w *accessWalker) effect(e *ast.CallExpr) func(arg int) use {
	only := func(n int, u use) func(int) use {
		return func(i int) use {
			if i == n {
				return u
			}
			return read
		}
	}
	callee := calledObject(w.info, e)
	switch obj := callee.(type) {
	case *types.Builtin:
		switch obj.Name() {
		case "copy", "delete", "clear":
			return only(0, write)
		}
		return func(int) use { return read }
	case *types.Func:
		pkg := obj.Pkg()
		if pkg == nil || w.p.owns(obj) {
			return func(int) use { return address }
		}
		return foreignEffect(pkg.Path(), obj, only)
	}
	return func(int) use { return address }
}

// foreignEffect is effect for functions outside the module. What is handed out
// by its address is taken to be written.
func foreignEffect(path string, fn *types.Func, only func(int, use) func(int) use) func(int) use {
	name := fn.Name()
	switch path {
	case "sync/atomic":
		return only(0, atomic)
	case "sort", "container/heap":
		if !strings.HasPrefix(name, "Search") && !strings.HasSuffix(name, "AreSorted") && name != "IsSorted" {
			return only(0, write)
		}
	case "slices":
		for _, verb := range []string{"Sort", "Reverse", "Delete", "Insert", "Replace", "Compact"} {
			if strings.HasPrefix(name, verb) {
				return only(0, write)
			}
		}
	case "maps":
		if name == "Copy" || name == "DeleteFunc" || name == "Insert" {
			return only(0, write)
		}
	case "io":
		if strings.HasPrefix(name, "ReadFull") || strings.HasPrefix(name, "ReadAtLeast") {
			return only(1, write)
		}
	}
	if sig := fn.Signature(); sig.Recv() != nil && strings.HasPrefix(name, "Read") {
		return only(0, write) // io.Reader, io.ReaderAt
	}
	return func(int) use { return handed }
}

// calledObject is what a call calls: a function, method, builtin or variable; nil if it is computed.
func calledObject(info *types.Info, e *ast.CallExpr) types.Object {
	fun := ast.Unparen(e.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(x.X)
	}
	switch x := fun.(type) {
	case *ast.Ident:
		return info.Uses[x]
	case *ast.SelectorExpr:
		return info.Uses[x.Sel]
	}
	return nil
}
