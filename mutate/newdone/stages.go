package newdone

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/chanwait"
	"mendel/mutate/internal/syncops"
)

// unclosed is what the edit keeps of its belief where goroutines receive from a channel that
// nobody is sure to close: to close it is the shorter edit, package deferclose's. Chosen,
// not measured.
const unclosed = 0.6

// stages lists the edits that give up what the goroutines of a pipeline do when the function
// that reads from it returns: of pipelines that a function reads from, or is part of.
func stages(fn *mutate.Function) (edits []mutate.Edit) {
	for _, reader := range readersOf(fn, maxStarters) {
		if e, ok := stagesOf(reader); ok && !slices.ContainsFunc(edits, func(known mutate.Edit) bool { return known.Key() == e.Key() }) {
			edits = append(edits, e)
		}
	}
	return edits
}

// readersOf are a function and those that run it, directly or not: each may be the reader.
func readersOf(fn *mutate.Function, depth int) []*mutate.Function {
	found := []*mutate.Function{fn}
	if depth == 0 {
		return found
	}
	for _, f := range slices.Concat(fn.Callers(), runners(fn)) {
		if len(found) == maxReaders {
			break
		}
		for _, reader := range readersOf(f, depth-1) {
			if len(found) < maxReaders && !slices.Contains(found, reader) {
				found = append(found, reader)
			}
		}
	}
	return found
}

// runners are the functions of the package that start one, or that it is in, by file and in
// source order.
func runners(fn *mutate.Function) []*mutate.Function {
	all := slices.DeleteFunc(slices.Concat(fn.Around(), starts.By(fn)), func(f *mutate.Function) bool {
		return f.File.Package != fn.File.Package || f.File.Test
	})
	slices.SortFunc(all, func(a, b *mutate.Function) int {
		return cmp.Or(strings.Compare(a.File.Rel, b.File.Rel), cmp.Compare(a.Node.Pos(), b.Node.Pos()))
	})
	return slices.Compact(all)
}

// maxReaders is how many functions are asked whether they read from a pipeline that another
// one is part of. Guessed.
const maxReaders = 6

// stagesOf is the edit of the pipeline that a function reads from. Of several readers the
// first has it.
func stagesOf(reader *mutate.Function) (e mutate.Edit, ok bool) {
	p, how := found(reader)
	if p == nil {
		return e, false
	}
	first := slices.MinFunc(p.readers, func(a, b *mutate.Function) int {
		return cmp.Or(strings.Compare(a.File.Rel, b.File.Rel), cmp.Compare(a.Node.Pos(), b.Node.Pos()))
	})
	e = first.NewEdit("newdone", p.anchor(first))
	e.Form, e.Expr, e.Heat, e.Other = how.form(), how.name, 0, first.ID(first.Node)
	for _, w := range p.wraps {
		heat, _ := w.op.Heat(w.fn)
		e.Heat = max(e.Heat, heat*long)
	}
	if slices.ContainsFunc(p.wraps, func(w wrap) bool { return !sendsAny(w.op) }) {
		e.Doubt(unclosed)
	}
	return e, true
}

// found is the pipeline that a function reads from, and how it ends; nil if there is none
// that another edit does not end as well. It does not depend on the evidence.
func found(reader *mutate.Function) (*pipeline, ending) {
	type pipelineOfReader struct{ fn *mutate.Function }
	type known struct {
		p   *pipeline
		how ending
	}
	k := mutate.Once(reader, pipelineOfReader{reader}, func() known {
		if len(starts.Of(reader)) == 0 && !leads(reader, maxStarters) {
			return known{}
		}
		p, ok := pipelineOf(reader)
		if !ok || !slices.ContainsFunc(p.readers, p.stops) {
			return known{}
		}
		how, ok := p.ending()
		single := len(p.bodies) < 2 && len(p.between) == 0 // the edit of its go statement is enough
		if !ok || single || !how.context && slices.ContainsFunc(p.readers, p.mayLeave) {
			return known{}
		}
		return known{p, how}
	})
	return k.p, k.how
}

// anchor is the statement of a reader's body in which the pipeline starts.
func (p *pipeline) anchor(r *mutate.Function) ast.Stmt {
	for _, s := range r.Body.List {
		here := func(n ast.Node) bool { return syntax.Within(n, s) }
		if slices.ContainsFunc(p.links, func(l link) bool { return l.from == r && l.call != nil && here(l.call) }) ||
			slices.ContainsFunc(starts.Of(r), func(st starts.Start) bool { return slices.Contains(p.bodies, st.To) && here(st.Stmt) }) {
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
	return len(exits.Of(r, r.Body.List[from:to]...)) > 0
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

// giveUpStages applies the edit of a pipeline.
func giveUpStages(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Other)
	if fn == nil {
		return mutate.Refuse(e, "another edit removed the function")
	}
	p, how := found(fn)
	if p == nil || how.name != e.Expr || how.form() != e.Form {
		return mutate.Refuse(e, "the function reads from no pipeline")
	}
	return p.end(m, e, how)
}
