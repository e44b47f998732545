package sectionedit

import (
	"cmp"
	"go/ast"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/mutate"
)

// A Section is a section of the original found again in a tree being edited,
// for operators that move its bounds or take it away. Statements are named by
// their nodes in the original; one that an earlier edit removed or moved out
// of its list is refused.
type Section struct {
	*mutate.Section

	m *mutate.Mutation
	e mutate.Edit
}

// Of finds the section that an edit names by its acquisition.
func Of(m *mutate.Mutation, e mutate.Edit) (*Section, error) { return At(m, e, e.Node) }

// Other finds the section that an edit names as its second place.
func Other(m *mutate.Mutation, e mutate.Edit) (*Section, error) { return At(m, e, e.Other) }

func At(m *mutate.Mutation, e mutate.Edit, node int) (*Section, error) {
	at, ok := m.Syntax(e.File, node).(ast.Stmt)
	if !ok {
		return nil, mutate.Refuse(e, "no statement has this number")
	}
	fn := m.Function(e.File, node)
	if fn == nil {
		return nil, mutate.Refuse(e, "no function holds the section")
	}
	for _, s := range fn.Sections() {
		if s.Acquire == at {
			return &Section{Section: s, m: m, e: e}, nil
		}
	}
	return nil, mutate.Refuse(e, "no critical section begins here")
}

// Node is the statement in the edited tree that a statement of the original became.
func (p *Section) Node(s ast.Stmt) (dst.Stmt, error) {
	n, ok := p.m.Node(p.e.File, p.Fn.ID(s)).(dst.Stmt)
	if ok {
		_, _, ok = p.m.ListOf(p.e.File, n)
	}
	if !ok {
		return nil, mutate.Refuse(p.e, "another edit removed a statement it needs")
	}
	return n, nil
}

// InOrder refuses the edit unless statements of one list still stand in one
// list in this order. Those that other edits removed are passed over.
func (p *Section) InOrder(stmts ...ast.Stmt) error {
	var in *[]dst.Stmt
	last := -1
	for _, s := range stmts {
		n, err := p.Node(s)
		if err != nil {
			continue
		}
		list, index, _ := p.m.ListOf(p.e.File, n)
		if in != nil && list != in || index <= last {
			return mutate.Refuse(p.e, "another edit changed the same section")
		}
		in, last = list, index
	}
	return nil
}

// Untouched refuses the edit if an earlier one inserted calls of the same lock
// into the function: with the section taken away or shortened they would
// release what is not held.
func (p *Section) Untouched() error {
	if p.m.Node(p.e.File, p.Fn.ID(p.Fn.Node)) == nil {
		return mutate.Refuse(p.e, "another edit removed its function")
	}
	if len(p.m.InsertedCalls(p.Fn, p.Lock)) > 0 {
		return mutate.Refuse(p.e, "another edit released the same lock inside the section")
	}
	return nil
}

// Intact refuses the edit unless the section still stands as it was written and is [Section.Untouched].
func (p *Section) Intact() error {
	bounds := append([]ast.Stmt{p.Acquire}, p.Body...)
	if p.Final != nil {
		bounds = append(bounds, p.Final)
	}
	if err := p.InOrder(bounds...); err != nil {
		return err
	}
	return p.Untouched()
}

// Around refuses the edit unless a statement still stands between the
// acquisition and the end of the section. The statement is given by its NodeID.
func (p *Section) Around(node int) (ast.Stmt, error) {
	stmt, ok := p.m.Syntax(p.e.File, node).(ast.Stmt)
	if !ok || !p.Holds(stmt) {
		return nil, mutate.Refuse(p.e, "the statement is not in the section")
	}
	bounds := []ast.Stmt{p.Acquire}
	if p.Deferred {
		bounds = append(bounds, p.Releases[0])
	}
	for _, s := range p.Body {
		if len(Inside([]ast.Stmt{stmt}, s)) > 0 {
			bounds = append(bounds, s)
		}
	}
	if p.Final != nil {
		bounds = append(bounds, p.Final)
	}
	// The release may be deferred behind some statements of the section.
	slices.SortFunc(bounds, func(a, b ast.Stmt) int { return cmp.Compare(a.Pos(), b.Pos()) })
	for _, s := range bounds {
		if _, err := p.Node(s); err != nil {
			return nil, err
		}
	}
	return stmt, p.InOrder(bounds...)
}

// Move takes a lock's statement to before (or after) an anchor. A comment on
// its line goes with it, comments above it stay, and the note is put above it.
func (p *Section) Move(s, anchor ast.Stmt, after bool, note string) error {
	n, err := p.Node(s)
	if err != nil {
		return err
	}
	to, err := p.Node(anchor)
	if err != nil {
		return err
	}
	return p.m.Carry(p.e.File, n, to, after, note)
}

// MoveBehind takes a statement to behind an anchor, its comments with it and
// the note below them.
func (p *Section) MoveBehind(s, anchor ast.Stmt, note string) error {
	n, decs, err := p.takeOut(s)
	if err != nil {
		return err
	}
	to, err := p.Node(anchor)
	if err != nil {
		return err
	}
	n.Decorations().Start, n.Decorations().End = append(decs.Start, "// "+note), decs.End
	return p.m.Insert(p.e.File, to, true, n)
}

// DeferBefore makes a call or send a deferred call before an anchor.
func (p *Section) DeferBefore(s, anchor ast.Stmt, note string) error {
	n, decs, err := p.takeOut(s)
	if err != nil {
		return err
	}
	to, err := p.Node(anchor)
	if err != nil {
		return err
	}
	later := &dst.DeferStmt{}
	if e, ok := n.(*dst.ExprStmt); ok {
		later.Call, ok = e.X.(*dst.CallExpr)
		if !ok {
			return mutate.Refuse(p.e, "the statement is no call any more")
		}
	} else {
		lit := &dst.FuncLit{Type: &dst.FuncType{Func: true, Params: &dst.FieldList{Opening: true, Closing: true}}, Body: &dst.BlockStmt{List: []dst.Stmt{n}}}
		later.Call = &dst.CallExpr{Fun: lit}
	}
	later.Decs.Start, later.Decs.End = append(decs.Start, "// "+note), decs.End
	return p.m.Insert(p.e.File, to, false, later)
}

// takeOut removes a statement and returns it without its comments, and these.
func (p *Section) takeOut(s ast.Stmt) (dst.Stmt, dst.NodeDecs, error) {
	n, err := p.Node(s)
	if err != nil {
		return nil, dst.NodeDecs{}, err
	}
	d := n.Decorations()
	decs := *d
	d.Start, d.End = nil, nil
	return n, decs, p.m.Remove(p.e.File, n)
}

// Drop removes lock statements with the comments on their lines. An else that
// is left empty goes too.
func (p *Section) Drop(stmts ...ast.Stmt) error {
	for _, s := range stmts {
		n, err := p.Node(s)
		if err != nil {
			return err
		}
		if err := p.m.Drop(p.e.File, n); err != nil {
			return err
		}
	}
	return nil
}

// Explain puts a note above a statement, for an edit that leaves no call of
// its own to put it at; the statement may be a lock's that goes afterwards.
func (p *Section) Explain(s ast.Stmt, note string) error {
	n, err := p.Node(s)
	if err != nil {
		return err
	}
	d := n.Decorations()
	d.Start = append(dst.Decorations{"// " + note}, d.Start...)
	return nil
}

// DropAll removes the acquisition and every release.
func (p *Section) DropAll() error {
	if err := p.Intact(); err != nil {
		return err
	}
	releases := p.Releases
	if p.InLiteral != nil && !p.onlyReleases() {
		releases = []ast.Stmt{p.InLiteral}
	}
	return p.Drop(append([]ast.Stmt{p.Acquire}, releases...)...)
}

// onlyReleases reports whether the deferred function literal does nothing else.
func (p *Section) onlyReleases() bool {
	lit, ok := ast.Unparen(p.Releases[0].(*ast.DeferStmt).Call.Fun).(*ast.FuncLit)
	return ok && len(lit.Body.List) == 1
}

// Acquired inserts another acquisition, and Released another release, before
// (or after) an anchor.
func (p *Section) Acquired(anchor ast.Stmt, after bool, note string) error {
	acquire, _ := p.Methods()
	return p.call(acquire, anchor, after, note)
}

// Released is described at Acquired.
func (p *Section) Released(anchor ast.Stmt, after bool, note string) error {
	_, release := p.Methods()
	return p.call(release, anchor, after, note)
}

// AcquiredIn inserts another acquisition at the start of a select's case.
func (p *Section) AcquiredIn(c *ast.CommClause) error {
	if len(c.Body) > 0 {
		return p.Acquired(c.Body[0], false, "")
	}
	clause, ok := p.m.Node(p.e.File, p.Fn.ID(c)).(*dst.CommClause)
	if !ok || len(clause.Body) > 0 {
		return mutate.Refuse(p.e, "another edit changed a case of the select")
	}
	acquire, _ := p.Methods()
	s := p.m.Call(p.Lock, acquire, "")
	s.Decs.Before, s.Decs.After = dst.NewLine, dst.NewLine
	clause.Body = []dst.Stmt{s}
	return nil
}

// MoveOut moves the init statement of an if or switch to before it.
func (p *Section) MoveOut(init, of ast.Stmt) error {
	to, err := p.Node(of)
	if err != nil {
		return err
	}
	wanted := p.m.Node(p.e.File, p.Fn.ID(init))
	var out dst.Stmt
	switch to := to.(type) {
	case *dst.IfStmt:
		out, to.Init = to.Init, nil
	case *dst.SwitchStmt:
		out, to.Init = to.Init, nil
	}
	if out == nil || out != wanted {
		return mutate.Refuse(p.e, "another edit removed the init statement")
	}
	return p.m.Insert(p.e.File, to, false, out)
}

func (p *Section) call(method string, anchor ast.Stmt, after bool, note string) error {
	to, err := p.Node(anchor)
	if err != nil {
		return err
	}
	return p.m.Insert(p.e.File, to, after, p.m.Call(p.Lock, method, note))
}

// Surround takes another lock before the section's and releases it behind it:
// deferred where the section's release is.
func (p *Section) Surround(l analysis.Lock, read bool, note string) error {
	acquire, release := "Lock", "Unlock"
	if read {
		acquire, release = "RLock", "RUnlock"
	}
	first, err := p.Node(p.Acquire)
	if err != nil {
		return err
	}
	before := []dst.Stmt{p.m.Call(l, acquire, note)}
	if p.Deferred {
		before = append(before, p.m.Defer(l, release))
	} else {
		last, err := p.Node(p.Final)
		if err != nil {
			return err
		}
		if err := p.m.Insert(p.e.File, last, true, p.m.Call(l, release, "")); err != nil {
			return err
		}
	}
	return p.m.Insert(p.e.File, first, false, before...)
}

// DeferRelease gives the section a deferred release, right after its
// acquisition, in place of all others. CanDefer says where that is right.
func (p *Section) DeferRelease(note string) error {
	at, err := p.Node(p.Acquire)
	if err != nil {
		return err
	}
	_, release := p.Methods()
	later := p.m.Defer(p.Lock, release)
	if note != "" {
		later.Decs.Start = dst.Decorations{"// " + note}
	}
	if err := p.m.Insert(p.e.File, at, true, later); err != nil {
		return err
	}
	return p.Drop(p.Releases...)
}

// Inside lists those of some statements that lie inside others.
func Inside(stmts []ast.Stmt, outer ...ast.Stmt) []ast.Stmt {
	var in []ast.Stmt
	for _, s := range stmts {
		for _, o := range outer {
			if o.Pos() <= s.Pos() && s.End() <= o.End() {
				in = append(in, s)
			}
		}
	}
	return in
}
