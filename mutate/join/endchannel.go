package join

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/locked"
)

// An endChannel is a channel in a field that a goroutine of the value closes as it ends.
type endChannel struct {
	field *types.Var
	by    *mutate.Function // the goroutine
}

// endChannels are those of a package.
func endChannels(fn *mutate.Function) []endChannel {
	type endChannelsOf struct{ pkg *types.Package }
	return mutate.Once(fn, endChannelsOf{fn.File.Package.Types}, func() (found []endChannel) {
		for _, by := range fn.OfPackage() {
			if !by.Started() || by.File.Package != fn.File.Package {
				continue
			}
			for _, s := range by.Body.List {
				d, ok := s.(*ast.DeferStmt)
				if !ok || syntax.Builtin(by.File.Package.Info, d.Call) != "close" {
					continue
				}
				if v := syntax.Variable(by.File.Package.Info, d.Call.Args[0]); v != nil && v.IsField() {
					found = append(found, endChannel{v.Origin(), by})
				}
			}
		}
		return found
	})
}

// unawaited are the edits of a method that tells a goroutine of its value to end, and does
// not wait until it has: the goroutine closes a channel then.
func unawaited(fn *mutate.Function) (edits []mutate.Edit) {
	recv := receiver(fn)
	if recv == nil || len(fn.Body.List) == 0 || fn.Started() || tellsEnd(fn) < 0 {
		return nil
	}
	for _, ch := range endChannels(fn) {
		if !hasField(recv.Type(), ch.field) || syntax.Names(fn.File.Package.Info, fn.Body, ch.field) {
			continue
		}
		at, form := waitsAt(fn)
		if at == nil {
			return nil
		}
		e := fn.NewEdit("join", at, fn.Body.List...)
		e.Form, e.Expr, e.Note = ends, recv.Name()+"."+ch.field.Name(), ch.name()+" may still do something"
		if form == ownerBehind {
			e.Form = endsBehind
		}
		e.Heat = max(e.Heat, nearEnd*ch.heat())
		edits = append(edits, e)
	}
	return edits
}

// name is that of the goroutine, for people.
func (ch endChannel) name() string {
	if d, ok := ch.by.Node.(*ast.FuncDecl); ok {
		return d.Name.Name
	}
	return "the goroutine"
}

// heat is that of the hottest statement of the goroutine, or of what it calls.
func (ch endChannel) heat() (heat float64) {
	functions := []*mutate.Function{ch.by}
	for _, c := range locked.CallsNow(ch.by) {
		functions = append(functions, c.To)
	}
	for _, fn := range functions {
		for _, s := range fn.Statements() {
			h, _ := fn.Narrowing.HeatAt(s.Stmt.Pos())
			heat = max(heat, h)
		}
	}
	return heat
}

// nearEnd is what the wait for a goroutine has of its heat. Guessed.
const nearEnd = 0.9

// hasField reports whether a type, or what a pointer leads to, is a struct with a field.
func hasField(t types.Type, field *types.Var) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	return ok && slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return f.Origin() == field })
}

// receive puts the receive of an edit before its statement, or behind it.
func receive(m *mutate.Mutation, e mutate.Edit) error {
	return m.InsertSnippet(e.File, m.Stmt(e.File, e.Node), e.Form == endsBehind, "<-"+e.Expr+" // "+e.Note)
}
