package analysis

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Narrow finds statically what a program uses concurrently. See the package
// documentation for what counts.
func Narrow(ctx context.Context, p *Program) (*Narrowing, error) {
	ids := p.index()
	n := newNarrowing(p, ids)
	s := &sharing{p: p, ids: ids, alias: newAliases(p), fresh: newFreshness(ids), closures: map[*function]map[*function]bool{}}
	classes := s.classes()
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, x := range executions(ctx, p) {
		if ctx.Err() != nil {
			break
		}
		if len(x.threads) < 2 {
			continue
		}
		n.shared(ctx, s, x, classes)
		n.concurrent(x)
		n.locked(x)
		n.piped(x)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("narrow %s: %w", p.Target.Package, err)
	}
	n.users(s)
	n.sort()
	return n, nil
}

// A class is the variables of an alias class and the uses of what they lead to.
type class struct {
	members []*types.Var
	uses    []useOf
	wide    bool // has a field or package-level variable
}

// classes lists the alias classes of more than one variable, by position.
func (s *sharing) classes() []*class {
	byRoot := map[*types.Var]*class{}
	add := func(v *types.Var) {
		root := s.alias.find(v)
		c := byRoot[root]
		if c == nil {
			c = &class{}
			byRoot[root] = c
		}
		if !slices.Contains(c.members, v) {
			c.members = append(c.members, v)
			c.wide = c.wide || !isLocal(v)
		}
	}
	for v, root := range s.alias.parent {
		add(v)
		add(root)
	}
	out := slices.Collect(maps.Values(byRoot))
	for _, c := range out {
		slices.SortFunc(c.members, func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) })
		for _, v := range c.members {
			for _, u := range s.ids.uses[v] {
				if u.elem || s.alias.pointed[v] {
					c.uses = append(c.uses, u)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b *class) int { return cmp.Compare(a.members[0].Pos(), b.members[0].Pos()) })
	return out
}

// shared adds the variables that an execution's goroutines share, until ctx ends.
func (n *Narrowing) shared(ctx context.Context, s *sharing, x *execution, classes []*class) {
	for _, v := range n.ids.variables {
		if ctx.Err() != nil {
			return
		}
		uses := n.ids.uses[v]
		var found *verdict
		if isLocal(v) {
			found = s.captured(x, v, uses)
		} else {
			found = s.wide(x, uses)
		}
		if found != nil {
			n.addVar(v, Reason{Static, found.String(n.ids)})
		}
	}
	for _, c := range classes {
		if ctx.Err() != nil {
			return
		}
		judge := s.wide
		if !c.wide {
			judge = func(x *execution, uses []useOf) *verdict { return s.class(x, c.members, uses) }
		}
		found := judge(x, c.uses)
		if found == nil {
			continue
		}
		used := map[*types.Var]bool{}
		for _, u := range append(found.writes, found.reads...) {
			used[u.Var] = true
		}
		for _, v := range c.members {
			if used[v] {
				n.addVar(v, Reason{Static, found.String(n.ids)})
			}
		}
	}
}

// concurrent adds the functions that run in more than one goroutine.
func (n *Narrowing) concurrent(x *execution) {
	for _, fn := range x.order {
		if labels, ok := x.concurrent(fn); ok {
			n.addFunc(fn, Reason{Static, "runs in " + strings.Join(labels, " and in ")})
		}
	}
}

// piped adds the functions that use a pipe of package io: at its other end a goroutine waits.
func (n *Narrowing) piped(x *execution) {
	for _, fn := range x.order {
		for _, u := range fn.uses {
			if end := pipeEnd(u.Var.Type()); end != "" {
				n.addFunc(fn, Reason{Static, "uses " + u.Var.Name() + ", an io." + end})
				break
			}
		}
	}
}

// pipeEnd is the name of the type of package io that is an end of a pipe, which a type points to; "": it is none.
func pipeEnd(t types.Type) string {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return ""
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "io" {
		return ""
	}
	if name := named.Obj().Name(); name == "PipeReader" || name == "PipeWriter" {
		return name
	}
	return ""
}

// locked adds the functions that take a lock which another goroutine takes
// too, and the types that have these locks: what deadlocks need not share a variable.
func (n *Narrowing) locked(x *execution) {
	type acquirer struct {
		fn  *function
		use lockUse
	}
	byKey := map[string][]acquirer{}
	threads := map[string]map[int]bool{}
	for _, fn := range x.order {
		for _, u := range fn.locks {
			if !u.acquires() {
				continue
			}
			byKey[u.lock.Key] = append(byKey[u.lock.Key], acquirer{fn, u})
			if threads[u.lock.Key] == nil {
				threads[u.lock.Key] = map[int]bool{}
			}
			for _, i := range x.in[fn] {
				threads[u.lock.Key][i] = x.threads[i].many
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		count := len(threads[key])
		for _, many := range threads[key] {
			count += boolToInt(many)
		}
		if count < 2 {
			continue
		}
		for _, t := range byKey[key] {
			why := fmt.Sprintf("takes %s (%s), as other goroutines do", t.use.lock.Expr, n.ids.position(t.use.call.Pos()))
			n.addFunc(t.fn, Reason{Static, why})
			if owner := n.ids.owner[t.use.field]; owner != nil {
				n.addType(owner, Reason{Static, fmt.Sprintf("its lock %s is taken by several goroutines (%s)", t.use.field.Name(), n.ids.position(t.use.call.Pos()))})
			}
		}
	}
}

// users adds the functions that use a shared variable.
func (n *Narrowing) users(s *sharing) {
	for _, fn := range n.ids.functions {
		var names []string
		first := token.NoPos
		for _, a := range fn.uses {
			f := n.vars[a.Var]
			if f == nil || s.fresh.fresh(useOf{&a, fn}) || slices.Contains(names, f.Name) {
				continue
			}
			if !first.IsValid() {
				first = a.Expr.Pos()
			}
			names = append(names, f.Name)
		}
		if len(names) > 0 {
			n.addFunc(fn, Reason{Static, fmt.Sprintf("uses %s (%s)", strings.Join(names, ", "), n.ids.position(first))})
		}
	}
}
