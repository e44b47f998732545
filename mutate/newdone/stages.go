package newdone

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/chanwait"
	"mendel/mutate/internal/syncops"
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

// unclosed is what the edit keeps of its belief where goroutines receive from a channel that
// nobody is sure to close: to close it is the shorter edit, package deferclose's. Chosen,
// not measured.
const unclosed = 0.6

// stages is the edit that gives up what the goroutines of a pipeline do when the function
// that reads from it returns. Of several readers the first has it.
func stages(fn *mutate.Function) (e mutate.Edit, ok bool) {
	if len(fn.Starts()) == 0 && !leads(fn, maxStarters) {
		return e, false
	}
	p, ok := pipelineOf(fn)
	if !ok || slices.ContainsFunc(p.readers, func(r *mutate.Function) bool { return earlier(r, fn) }) || !slices.ContainsFunc(p.readers, p.stops) {
		return e, false
	}
	how, ok := p.ending()
	if !ok || !how.context && slices.ContainsFunc(p.readers, p.mayLeave) || len(p.bodies) < 2 && len(p.between) == 0 { // the edit of its go statement is enough
		return e, false
	}
	e = fn.NewEdit("newdone", p.anchor(fn))
	e.Form, e.Expr, e.Heat, e.Other = how.form(), how.name, 0, fn.ID(fn.Node)
	for _, w := range p.wraps {
		heat, _ := w.op.Heat(w.fn)
		e.Heat = max(e.Heat, heat*long)
	}
	if slices.ContainsFunc(p.wraps, func(w wrap) bool { return !sendsAny(w.op) }) {
		e.Doubt(unclosed)
	}
	return e, true
}

func earlier(a, b *mutate.Function) bool {
	return a.File.Rel < b.File.Rel || a.File == b.File && a.Node.Pos() < b.Node.Pos()
}

// ending is the context of the readers, if they all have one of the same name, else a new
// channel; ok is false if the goroutines cannot give up.
func (p *pipeline) ending() (how ending, ok bool) {
	if how, ok = p.contextOf(); ok && p.giveUps(how.end()) && p.feeds() && p.means(how.name) {
		return how, true
	}
	for _, name := range []string{"done", "quit", "stop", "returned"} {
		if !slices.ContainsFunc(p.functions(), func(fn *mutate.Function) bool { return fn.FreeName(name) != name }) {
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
		if l.call != nil && !p.knows(l, how.name) && (hasContext(l.to) || l.to.FreeName(how.name) != how.name) {
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
			if param, ok := info.Defs[id].(*types.Var); ok && id.Name != "_" && isContext(param.Type()) {
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
		if made != nil && cancel != nil && isContext(made.Type()) && defersCall(fn, cancel) {
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

func isContext(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Context" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context"
}

func hasContext(fn *mutate.Function) bool { return contextParameter(fn) != nil }

// contextParameter is the context that a function has for a parameter; nil if it has none.
func contextParameter(fn *mutate.Function) *ast.Ident {
	for _, field := range fn.Type.Params.List {
		if t := fn.File.Package.Info.TypeOf(field.Type); t != nil && isContext(t) && len(field.Names) > 0 {
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
		return obj != nil && (!isVar || !isContext(v.Type()))
	})
}

// anchor is the statement of a reader's body in which the pipeline starts.
func (p *pipeline) anchor(r *mutate.Function) ast.Stmt {
	for _, s := range r.Body.List {
		here := func(n ast.Node) bool { return syntax.Within(n, s) }
		if slices.ContainsFunc(p.links, func(l link) bool { return l.from == r && l.call != nil && here(l.call) }) ||
			slices.ContainsFunc(r.Starts(), func(st mutate.Start) bool { return slices.Contains(p.bodies, st.To) && here(st.Stmt) }) {
			return s
		}
	}
	return r.Body.List[0]
}

// wait is the statement of a reader's body in which it waits for goroutines, when it has
// read what it wants; nil if there is none, or they may still have values to take.
func (p *pipeline) wait(r *mutate.Function) (wait ast.Stmt) {
	if slices.ContainsFunc(p.wraps, func(w wrap) bool { return !sendsAny(w.op) }) {
		return nil
	}
	for _, s := range slices.Backward(r.Body.List) {
		if syntax.Any(s, func(n ast.Node) bool { return p.reads(r, n) }) {
			break
		}
		_, plain := s.(*ast.ExprStmt)
		if op, ok := syncops.Of(r, s); ok && plain && op.Kind == syncops.Wait && s.Pos() > p.anchor(r).Pos() {
			wait = s
		}
	}
	return wait
}

// reads reports whether a node receives from one of the pipeline's channels, or calls who
// does.
func (p *pipeline) reads(r *mutate.Function, n ast.Node) bool {
	return slices.ContainsFunc(p.channels(), func(c *mutate.Channel) bool {
		return slices.ContainsFunc(slices.Concat(c.Receives, c.Ranges), func(u mutate.ChannelUse) bool {
			if u.Node == n {
				return u.Fn == r
			}
			call, ok := n.(*ast.CallExpr)
			return ok && p.around(u) == nil && slices.ContainsFunc(r.Calls(r.Body.List...), func(c mutate.Call) bool { return c.Expr == call && c.To == u.Fn })
		})
	})
}

// mayLeave reports whether a reader that waits for the goroutines may return without that:
// then a channel would have to be closed in two places.
func (p *pipeline) mayLeave(r *mutate.Function) bool {
	wait := p.wait(r)
	if wait == nil {
		return false
	}
	from, to := slices.Index(r.Body.List, p.anchor(r)), slices.Index(r.Body.List, wait)
	return len(r.Exits(r.Body.List[from:to]...)) > 0
}

// extensible reports whether a function can get one more parameter and a call of it one
// more argument: all that names the function are links.
func (p *pipeline) extensible(l link) bool {
	if l.call == nil {
		return true
	}
	n := 0
	for _, other := range p.links {
		if other.to == l.to {
			n++
		}
	}
	results := false
	if len(l.call.Args) == 1 {
		_, results = l.from.File.Package.Info.TypeOf(l.call.Args[0]).(*types.Tuple)
	}
	return n == namedBy(l.to) && !results && !l.to.File.Test && !l.to.File.Generated
}

// end makes the edit of a pipeline.
func (p *pipeline) end(m *mutate.Mutation, e mutate.Edit, how ending) error {
	for _, w := range p.wraps {
		inner := mutate.Edit{Operator: e.Operator, File: w.fn.File.Rel, Line: e.Line, Func: e.Func, Node: w.fn.ID(w.op.At)}
		if err := chanwait.Wrap(m, inner, how.end(), w.way); err != nil {
			return err
		}
	}
	if err := p.hand(m, e, how); err != nil {
		return err
	}
	for _, r := range p.readers {
		if slices.Contains(how.derived, r) {
			continue
		}
		if err := how.returns(m, e, p, r); err != nil {
			return err
		}
	}
	return nil
}

// hand hands the end on to all functions of the pipeline that do not know it.
func (p *pipeline) hand(m *mutate.Mutation, e mutate.Edit, how ending) error {
	var extended []*mutate.Function
	for _, l := range p.links {
		if l.call == nil || how.context && p.knows(l, how.name) {
			continue
		}
		if !slices.Contains(extended, l.to) {
			extended = append(extended, l.to)
			if err := how.parameter(m, e, l.to); err != nil {
				return err
			}
		}
		call, ok := m.Of(l.from.File.Rel, l.call).(*dst.CallExpr)
		if !ok {
			return mutate.Refuse(e, "another edit changed a call")
		}
		arg := dst.NewIdent(how.name)
		if len(call.Args) > 0 {
			arg.Decs.Before, arg.Decs.After = call.Args[0].Decorations().Before, call.Args[0].Decorations().Before
		}
		call.Args = append([]dst.Expr{arg}, call.Args...)
	}
	return nil
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
	field := &dst.Field{Names: []*dst.Ident{dst.NewIdent(e.name)}, Type: mutate.SnippetExpr(typ)}
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
		cancel := r.FreeName("cancel")
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
	return m.InsertSnippet(r.File.Rel, at, false, made)
}

// giveUpStages applies the edit of a pipeline.
func giveUpStages(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Other)
	if fn == nil {
		return mutate.Refuse(e, "another edit removed the function")
	}
	p, ok := pipelineOf(fn)
	if !ok {
		return mutate.Refuse(e, "the function starts no pipeline")
	}
	how, ok := p.ending()
	if !ok || how.name != e.Expr || how.form() != e.Form {
		return mutate.Refuse(e, "the pipeline cannot be ended")
	}
	return p.end(m, e, how)
}
