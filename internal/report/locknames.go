package report

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/checker/sched"
)

// A lockNames names the locks of an execution as the source does. A lock that
// the source calls by several names, "a.mu" and "to.mu", has what these end in,
// "mu", and so have several locks that it calls by one; they are numbered.
type lockNames struct {
	t      *timeline
	syntax func(file string) (*token.FileSet, *ast.File)
	names  map[int32]string
}

func newLockNames(t *timeline, source func(string) []byte) *lockNames {
	n := &lockNames{t: t, syntax: syntaxOf(source), names: map[int32]string{}}
	called := map[int32][]string{} // expressions by lock
	var order []int32
	for i, e := range t.trace {
		isLock := (e.Kind == sched.KindAcquire || e.Kind == sched.KindRAcquire) && strings.HasSuffix(e.What, "Lock")
		if !isLock {
			continue
		}
		if _, known := called[e.Obj]; !known {
			order, called[e.Obj] = append(order, e.Obj), nil
		}
		if x := n.acquired(i); x != "" && !slices.Contains(called[e.Obj], x) {
			called[e.Obj] = append(called[e.Obj], x)
		}
	}
	n.choose(order, called)
	return n
}

// choose gives each lock its name.
func (n *lockNames) choose(order []int32, called map[int32][]string) {
	shared := map[string]bool{} // expressions for locks that have others too
	for _, xs := range called {
		for _, x := range xs {
			shared[x] = shared[x] || len(xs) > 1
		}
	}
	by := map[string][]int32{}
	for _, obj := range order {
		name := n.unnamed(obj)
		if xs := called[obj]; len(xs) > 0 {
			name = xs[0]
			if slices.ContainsFunc(xs, func(x string) bool { return shared[x] }) {
				name = methodOf(name)
			}
		}
		n.names[obj] = name
		by[name] = append(by[name], obj)
	}
	n.number(order, by)
}

// number distinguishes the locks that have a name in common.
func (n *lockNames) number(order []int32, by map[string][]int32) {
	ends := map[string][]int32{}
	for _, obj := range order {
		name := n.names[obj]
		if len(by[name]) > 1 {
			name = methodOf(name)
		}
		n.names[obj] = name
		ends[name] = append(ends[name], obj)
	}
	for name, objs := range ends {
		for i, obj := range objs {
			if len(objs) > 1 {
				n.names[obj] = fmt.Sprintf("%s #%d", name, i+1)
			}
		}
	}
}

// of is the name of a lock.
func (n *lockNames) of(obj int32) string {
	if name, ok := n.names[obj]; ok {
		return oneLine(name)
	}
	return oneLine(n.unnamed(obj))
}

// known reports whether a lock was acquired, or tried, in the execution.
func (n *lockNames) known(obj int32) bool { _, ok := n.names[obj]; return ok }

// unnamed is the name of a lock whose acquisition the source does not show: its
// type, and where it is first used.
func (n *lockNames) unnamed(obj int32) string {
	for _, e := range n.t.trace {
		if e.Obj == obj {
			typ, _, _ := strings.Cut(e.What, ".")
			return strings.TrimSuffix(typ+" of "+n.t.where(e.Place), " of ")
		}
	}
	return "a lock"
}

// acquired is the expression whose Lock the event calls, "" if the line does not
// show it. Of several on a line it is the one after those called just before.
func (n *lockNames) acquired(event int) string {
	e := n.t.trace[event]
	fset, file := n.syntax(e.Place.File)
	if file == nil {
		return ""
	}
	method := methodOf(e.What)
	found := lockCalls(fset, file, e.Place.Line, method)
	if len(found) == 0 && method == "RLock" { // by a Locker
		found = lockCalls(fset, file, e.Place.Line, "Lock")
	}
	if len(found) == 0 {
		return ""
	}
	nth := 0
	for i := event - 1; i >= 0; i-- {
		before := n.t.trace[i]
		if before.G != e.G {
			continue
		}
		if before.Place.File != e.Place.File || before.Place.Line != e.Place.Line {
			break
		}
		if before.Kind == e.Kind && before.What == e.What {
			nth++
		}
	}
	return found[nth%len(found)]
}

// lockCalls are the receivers of the calls of a method on a line, in order.
func lockCalls(fset *token.FileSet, file *ast.File, line int, method string) []string {
	var found []string
	ast.Inspect(file, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		if ok && f.Sel.Name == method && fset.Position(f.Sel.Pos()).Line == line {
			found = append(found, types.ExprString(f.X))
		}
		return true
	})
	return found
}

// variable is what a racing access reads or writes, "" if the source does not
// tell. A write names it; a read is found by the name that the write has.
func (n *lockNames) variable(places []sched.Place, at sched.Place) string {
	if at.What == "write" {
		return oneLine(n.written(at))
	}
	for _, p := range places {
		if p.What != "write" {
			continue
		}
		x := n.written(p)
		if x == "" {
			continue
		}
		x, _, _ = strings.Cut(x, "[")
		return oneLine(n.mentioned(at, methodOf(x)))
	}
	return ""
}

// written is the only variable that is assigned on a line, "" if there are none
// or several.
func (n *lockNames) written(p sched.Place) string {
	fset, file := n.syntax(p.File)
	if file == nil {
		return ""
	}
	var found []string
	add := func(x ast.Expr) {
		if id, ok := x.(*ast.Ident); ok && id.Name == "_" {
			return
		}
		if fset.Position(x.Pos()).Line == p.Line {
			found = append(found, types.ExprString(x))
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch s := node.(type) {
		case *ast.AssignStmt:
			for _, x := range s.Lhs {
				add(x)
			}
		case *ast.IncDecStmt:
			add(s.X)
		}
		return true
	})
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// mentioned is the expression on a line that ends in a name, "" if there is none.
func (n *lockNames) mentioned(p sched.Place, name string) string {
	fset, file := n.syntax(p.File)
	if file == nil {
		return ""
	}
	found := ""
	ast.Inspect(file, func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.SelectorExpr:
			if x.Sel.Name == name && fset.Position(x.Sel.Pos()).Line == p.Line && found == "" {
				found = types.ExprString(x)
			}
		case *ast.Ident:
			if x.Name == name && fset.Position(x.Pos()).Line == p.Line && found == "" {
				found = x.Name
			}
		}
		return true
	})
	return found
}

// syntaxOf parses files, each once; nil for what cannot be parsed.
func syntaxOf(source func(string) []byte) func(string) (*token.FileSet, *ast.File) {
	fset := token.NewFileSet()
	files := map[string]*ast.File{}
	return func(name string) (*token.FileSet, *ast.File) {
		if f, known := files[name]; known {
			return fset, f
		}
		files[name] = nil
		if source == nil || name == "" {
			return fset, nil
		}
		if text := source(name); text != nil {
			if f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution); err == nil {
				files[name] = f
			}
		}
		return fset, files[name]
	}
}
