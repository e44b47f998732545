package tree

import (
	"fmt"
	"slices"

	"github.com/dave/dst"
)

// ListOf finds the list that holds a statement now, and its index; nil if none does.
func (f *Edited) ListOf(s dst.Stmt) (list *[]dst.Stmt, index int) {
	list, index, _ = f.listOf(s)
	return list, index
}

// listOf is ListOf with what the list belongs to.
func (f *Edited) listOf(s dst.Stmt) (list *[]dst.Stmt, index int, owner dst.Node) {
	if s == nil {
		return nil, 0, nil
	}
	if id, original := f.ids.of(s); original && f.inPlace(id) {
		owner := f.At(int(f.Original.parents[id]))
		if list := listIn(owner); list != nil {
			if i := slices.Index(*list, s); i >= 0 {
				return list, i, owner
			}
		}
	}
	for _, d := range f.root.Decls {
		if f.touched(d) {
			if list, index, owner = listOf(d, s); list != nil {
				break
			}
		}
	}
	return list, index, owner
}

// listIn is the statement list that a node has; nil if it has none.
func listIn(n dst.Node) *[]dst.Stmt {
	switch n := n.(type) {
	case *dst.BlockStmt:
		return &n.List
	case *dst.CaseClause:
		return &n.Body
	case *dst.CommClause:
		return &n.Body
	}
	return nil
}

// listOf finds the list that holds a statement, and what the list belongs to.
func listOf(root dst.Node, s dst.Stmt) (list *[]dst.Stmt, index int, owner dst.Node) {
	dst.Inspect(root, func(n dst.Node) bool {
		if l := listIn(n); l != nil && list == nil {
			if i := slices.Index(*l, s); i >= 0 {
				list, index, owner = l, i, n
			}
		}
		return list == nil
	})
	return list, index, owner
}

// Insert puts statements before (or after) an anchor statement and
// lets comments and blank lines stay with the anchor.
func (f *Edited) Insert(anchor dst.Stmt, after bool, stmts ...dst.Stmt) error {
	list, i, owner := f.listOf(anchor)
	if list == nil {
		return fmt.Errorf("another edit removed the statement to insert at from %s", f.Original.File.Rel)
	}
	if len(stmts) == 0 {
		return nil
	}
	ownEnd(owner, *list)
	at := anchor.Decorations()
	first, last := stmts[0].Decorations(), stmts[len(stmts)-1].Decorations()
	for _, s := range stmts {
		d := s.Decorations()
		d.Before, d.After = dst.NewLine, dst.NewLine
	}
	if after {
		last.After = max(at.After, dst.NewLine)
		at.After = dst.NewLine
		// Comments below the anchor on lines of their own stay below.
		if own := OnLine(at.End); own < len(at.End) {
			if at.End[own] != "\n" {
				last.End = append(last.End, "\n")
			}
			last.End = append(last.End, at.End[own:]...)
			at.End = slices.Clone(at.End[:own])
		}
		i++
	} else {
		first.Before = max(at.Before, dst.NewLine)
		at.Before = dst.NewLine
		// A comment that a blank line parts from the anchor is not the anchor's.
		if cut := lastBreak(at.Start); cut > 0 {
			first.Start = append(slices.Clone(at.Start[:cut]), first.Start...)
			at.Start = slices.Clone(at.Start[cut:])
		}
		at.After = max(at.After, dst.NewLine) // the list may have been one line
	}
	*list = slices.Insert(*list, i, stmts...)
	return nil
}

// ownEnd gives the last statement of a case the comment that stands behind it
// on its line, which the decorator gives to the case.
func ownEnd(owner dst.Node, list []dst.Stmt) {
	if _, block := owner.(*dst.BlockStmt); block || len(list) == 0 {
		return
	}
	clause, last := owner.Decorations(), list[len(list)-1].Decorations()
	n := OnLine(clause.End)
	last.End = append(last.End, clause.End[:n]...)
	clause.End = slices.Clone(clause.End[n:])
}

// OnLine counts the decorations at a statement's end that stand on its line.
func OnLine(end dst.Decorations) int {
	for i, dec := range end {
		if dec == "\n" {
			return i
		}
		if isLineComment(dec) {
			return i + 1
		}
	}
	return len(end)
}

// lastBreak is the index after the last blank line among decorations; 0: there is none.
func lastBreak(decs dst.Decorations) int {
	for i := len(decs) - 1; i >= 0; i-- {
		if decs[i] == "\n" {
			return i + 1
		}
	}
	return 0
}

// Remove takes a statement out; its comments go to its neighbour, a blank
// line before it is kept once.
func (f *Edited) Remove(s dst.Stmt) error {
	list, i, owner := f.listOf(s)
	if list == nil {
		return fmt.Errorf("another edit removed the statement from %s", f.Original.File.Rel)
	}
	ownEnd(owner, *list)
	decs := s.Decorations()
	comments := slices.Concat(decs.Start, ownLines(decs.End))
	gap := max(decs.Before, decs.After)
	*list = slices.Delete(*list, i, i+1)
	switch {
	case i < len(*list): // to the statement after it
		next := (*list)[i].Decorations()
		next.Start = append(comments, next.Start...)
		next.Before = max(gap, next.Before)
		if i == 0 {
			next.Before = min(next.Before, dst.NewLine)
		}
	case i > 0: // to the statement before it
		prev := (*list)[i-1].Decorations()
		prev.After = min(max(prev.After, gap), dst.NewLine)
		if len(comments) > 0 {
			prev.End = append(append(prev.End, breakBefore(prev.End)...), comments...)
		}
	default:
		holdComments(owner, comments)
	}
	decs.Start, decs.End = nil, nil
	decs.Before, decs.After = dst.NewLine, dst.NewLine
	return nil
}

// ownLines strips the break in front of comments that stood behind a statement.
func ownLines(decs dst.Decorations) dst.Decorations {
	out := slices.Clone(decs)
	for len(out) > 0 && out[0] == "\n" {
		out = out[1:]
	}
	return out
}

// breakBefore is what must come between decorations at a statement's end and a comment on a line of its own.
func breakBefore(end dst.Decorations) dst.Decorations {
	if len(end) > 0 && isLineComment(end[len(end)-1]) {
		return nil // it ends its line
	}
	return dst.Decorations{"\n"}
}

func isLineComment(dec string) bool { return len(dec) > 1 && dec[:2] == "//" }

// holdComments gives the comments of a list's only statement to the empty list.
func holdComments(owner dst.Node, comments dst.Decorations) {
	if len(comments) == 0 {
		return
	}
	decs := append(dst.Decorations{"\n"}, comments...)
	switch o := owner.(type) {
	case *dst.BlockStmt:
		o.Decs.Lbrace = append(o.Decs.Lbrace, decs...)
	case *dst.CaseClause:
		o.Decs.Colon = append(o.Decs.Colon, decs...)
	case *dst.CommClause:
		o.Decs.Colon = append(o.Decs.Colon, decs...)
	}
}

// Move puts a statement with its comments before (or after) another one.
func (f *Edited) Move(s, anchor dst.Stmt, after bool) error {
	if list, _ := f.ListOf(anchor); list == nil || s == nil {
		return fmt.Errorf("another edit removed the statement to move, or to move to, from %s", f.Original.File.Rel)
	}
	decs := s.Decorations()
	start, end := decs.Start, decs.End
	decs.Start, decs.End = nil, nil
	if err := f.Remove(s); err != nil {
		return err
	}
	decs.Start, decs.End = start, end
	return f.Insert(anchor, after, s)
}

// IntoBody puts statements first (or last) into the body of the original's function with a NodeID.
func (f *Edited) IntoBody(function int, first bool, stmts ...dst.Stmt) error {
	body := bodyOf(f.Node(function))
	if body == nil {
		return fmt.Errorf("the function is no longer in %s", f.Original.File.Rel)
	}
	if len(body.List) > 0 {
		anchor := body.List[0]
		if !first {
			anchor = body.List[len(body.List)-1]
		}
		return f.Insert(anchor, !first, stmts...)
	}
	for _, s := range stmts {
		s.Decorations().Before, s.Decorations().After = dst.NewLine, dst.NewLine
	}
	body.List = stmts
	return nil
}

// Drop removes a statement with the comment on its line. An else that is left empty goes too.
func (f *Edited) Drop(s dst.Stmt) error {
	_, _, owner := f.listOf(s)
	cutLine(s)
	if err := f.Remove(s); err != nil {
		return err
	}
	dropEmptyElse(f.root, owner)
	return nil
}

// Carry takes a statement to before (or after) an anchor. A comment on its line goes with it,
// comments above it stay, and the note is put above it.
func (f *Edited) Carry(s, anchor dst.Stmt, after bool, note string) error {
	line := cutLine(s)
	if err := f.Remove(s); err != nil {
		return err
	}
	s.Decorations().End = line
	if note != "" {
		s.Decorations().Start = dst.Decorations{"// " + note}
	}
	return f.Insert(anchor, after, s)
}

// cutLine takes the comment off a statement that stands behind it on its line.
func cutLine(n dst.Stmt) dst.Decorations {
	d := n.Decorations()
	cut := slices.Index(d.End, "\n")
	if cut < 0 {
		cut = len(d.End)
	}
	line := slices.Clone(d.End[:cut])
	d.End = slices.Clone(d.End[cut:])
	return line
}

// dropEmptyElse removes a block that is an else with neither statements nor comments.
func dropEmptyElse(root, owner dst.Node) {
	block, ok := owner.(*dst.BlockStmt)
	if !ok || len(block.List) > 0 || len(block.Decs.Lbrace) > 0 {
		return
	}
	dst.Inspect(root, func(n dst.Node) bool {
		if s, ok := n.(*dst.IfStmt); ok && s.Else == owner {
			s.Else = nil
		}
		return true
	})
}
