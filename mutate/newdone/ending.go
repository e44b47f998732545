package newdone

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/chanwait"
	"mendel/mutate/internal/tree"
)

// An ending is how the goroutines of a pipeline know that a reader has returned.
type ending struct {
	name    string
	context bool
	derived []*mutate.Function // readers that cancel such a context already
}

func (e ending) end() chanwait.End {
	if e.context {
		return chanwait.End{Expr: e.name + ".Done()", Context: e.name}
	}
	return chanwait.End{Expr: e.name}
}

// form is the form of the edit.
func (e ending) form() string {
	if e.context {
		return ofContext
	}
	return ofStages
}

// ending is the context of the readers, if they all have one of the same name, else a new
// channel; ok is false if the goroutines cannot give up.
func (p *pipeline) ending() (how ending, ok bool) {
	if how, ok = p.contextOf(); ok && p.giveUps(how.end()) && p.feeds() && p.means(how.name) {
		return how, true
	}
	for _, name := range []string{"done", "quit", "stop", "returned"} {
		if !slices.ContainsFunc(p.functions(), func(fn *mutate.Function) bool { return scope.FreeName(fn, name) != name }) {
			how = ending{name: name}
			return how, p.giveUps(how.end()) && p.feeds()
		}
	}
	return how, false
}

func (p *pipeline) functions() []*mutate.Function {
	return slices.Concat(p.readers, p.between, p.bodies)
}

// contextOf is the context that all readers have.
func (p *pipeline) contextOf() (how ending, ok bool) {
	for _, r := range p.readers {
		v, derived := contextOf(r, p.anchor(r))
		if v == nil || how.name != "" && how.name != v.Name() {
			return how, false
		}
		how.name, how.context = v.Name(), true
		if derived {
			how.derived = append(how.derived, r)
		}
	}
	for _, l := range p.links {
		if l.call != nil && !p.knows(l, how.name) && (hasContext(l.to) || scope.FreeName(l.to, how.name) != how.name) {
			return how, false
		}
	}
	return how, true
}

// contextOf is the context that a function was given, or has derived from it in front of
// a statement and cancels when it returns.
func contextOf(fn *mutate.Function, anchor ast.Stmt) (v *types.Var, derived bool) {
	info := fn.File.Package.Info
	for _, field := range fn.Type.Params.List {
		for _, id := range field.Names {
			if param, ok := info.Defs[id].(*types.Var); ok && id.Name != "_" && syntax.IsContext(param.Type()) {
				v = param
			}
		}
	}
	for _, s := range fn.Body.List {
		a, ok := s.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 2 || s.Pos() >= anchor.Pos() {
			continue
		}
		made, cancel := variable(info, a.Lhs[0]), variable(info, a.Lhs[1])
		if made != nil && cancel != nil && syntax.IsContext(made.Type()) && defersCall(fn, cancel) {
			v, derived = made, true
		}
	}
	if v == nil || !derived && slices.ContainsFunc(fn.Body.List, func(s ast.Stmt) bool { return fn.Reassigns(v.Name(), s) }) {
		return nil, false
	}
	return v, derived
}

// variable is the variable that an expression is the name of; nil if it is none.
func variable(info *types.Info, e ast.Expr) *types.Var {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := info.ObjectOf(id).(*types.Var)
	return v
}

// defersCall reports whether a function defers the call of a variable.
func defersCall(fn *mutate.Function, v *types.Var) bool {
	return slices.ContainsFunc(fn.Body.List, func(s ast.Stmt) bool {
		d, ok := s.(*ast.DeferStmt)
		return ok && syntax.Is(fn.File.Package.Info, d.Call.Fun, v)
	})
}

func hasContext(fn *mutate.Function) bool { return contextParameter(fn) != nil }

// contextParameter is the context that a function has for a parameter; nil if it has none.
func contextParameter(fn *mutate.Function) *ast.Ident {
	for _, field := range fn.Type.Params.List {
		if t := fn.File.Package.Info.TypeOf(field.Type); t != nil && syntax.IsContext(t) && len(field.Names) > 0 {
			return field.Names[0]
		}
	}
	return nil
}

// knows reports whether a function is given the context of a name already, under the same
// name.
func (p *pipeline) knows(l link, name string) bool {
	id := contextParameter(l.to)
	return id != nil && id.Name == name && slices.ContainsFunc(l.call.Args, func(arg ast.Expr) bool {
		given, ok := ast.Unparen(arg).(*ast.Ident)
		return ok && given.Name == name
	})
}

// means reports whether the name of a context has that meaning, or none yet, where the
// goroutines give up.
func (p *pipeline) means(name string) bool {
	return !slices.ContainsFunc(p.wraps, func(w wrap) bool {
		inner := w.fn.File.Package.Types.Scope().Innermost(w.op.At.Pos())
		if inner == nil {
			return true
		}
		_, obj := inner.LookupParent(name, w.op.At.Pos())
		v, isVar := obj.(*types.Var)
		return obj != nil && (!isVar || !syntax.IsContext(v.Type()))
	})
}

// parameter gives a function the parameter for the end, before its others.
func (e ending) parameter(m *mutate.Mutation, edit mutate.Edit, fn *mutate.Function) error {
	decl, ok := m.Of(fn.File.Rel, fn.Node).(*dst.FuncDecl)
	if !ok {
		return mutate.Refuse(edit, "another edit removed a function")
	}
	typ := "<-chan struct{}"
	if e.context {
		pkg, err := m.Import(fn.File.Rel, "context")
		if err != nil {
			return err
		}
		typ = qualified(pkg, "Context")
	}
	field := &dst.Field{Names: []*dst.Ident{dst.NewIdent(e.name)}, Type: tree.Expr(typ)}
	if list := decl.Type.Params.List; len(list) > 0 {
		field.Decs.Before = list[0].Decs.Before
		field.Decs.After = list[0].Decs.After
	}
	decl.Type.Params.List = append([]*dst.Field{field}, decl.Type.Params.List...)
	return nil
}

func qualified(pkg, name string) string {
	if pkg == "" {
		return name
	}
	return pkg + "." + name
}

// returns lets a reader tell that it has returned or, where it waits for the goroutines
// before it does, that it reads no more.
func (e ending) returns(m *mutate.Mutation, edit mutate.Edit, p *pipeline, r *mutate.Function) error {
	anchor, wait := p.anchor(r), p.wait(r)
	made, tells := e.name+" := make(chan struct{})", "close("+e.name+")"
	if e.context {
		pkg, err := m.Import(r.File.Rel, "context")
		if err != nil {
			return err
		}
		cancel := scope.FreeName(r, "cancel")
		made, tells = e.name+", "+cancel+" := "+qualified(pkg, "WithCancel")+"("+e.name+")", cancel+"()"
	}
	at := m.StmtOf(r.File.Rel, anchor)
	if _, _, ok := m.ListOf(r.File.Rel, at); !ok {
		return mutate.Refuse(edit, "another edit moved what starts the goroutines")
	}
	if wait != nil {
		if err := m.InsertSnippet(r.File.Rel, m.StmtOf(r.File.Rel, wait), false, tells); err != nil {
			return err
		}
	}
	if wait == nil || e.context { // to cancel twice does no harm
		made += "\ndefer " + tells
	}
	if err := m.InsertSnippet(r.File.Rel, at, false, made); err != nil || !e.context || wait != nil {
		return err
	}
	return e.asksWhy(m, edit, p, r)
}
