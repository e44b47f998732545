package mutate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"slices"

	"github.com/dave/dst"
	"github.com/dave/dst/decorator"

	"mendel/analysis"
)

// A Mutation is a program being edited: one tree for each file touched.
type Mutation struct {
	space    *Space
	sketch   bool                   // the trees are sketches, but those of tests
	files    map[string]*editedFile // by module-relative name
	acquires map[*dst.CallExpr]insertedCall
	declared map[string]*declaration // by lock key
}

// An insertedCall is a call that Mutation.Call made.
type insertedCall struct {
	lock   analysis.Lock
	method string
}

func (c insertedCall) acquires() bool { return c.method == "Lock" || c.method == "RLock" }

func newMutation(s *Space) *Mutation {
	return &Mutation{
		space:    s,
		files:    make(map[string]*editedFile),
		acquires: make(map[*dst.CallExpr]insertedCall),
		declared: make(map[string]*declaration),
	}
}

// newSketchMutation is for edits of which nothing is to be known but whether they can be
// made and what they come to: it is never printed.
func newSketchMutation(s *Space) *Mutation {
	m := newMutation(s)
	m.sketch = true
	return m
}

// file returns the tree of a file for edits.
func (m *Mutation) file(name string) (*editedFile, error) {
	if f := m.files[name]; f != nil {
		return f, nil
	}
	of, err := m.space.trees.of(name)
	if err != nil {
		return nil, err
	}
	var t *tree
	if m.sketch && !of.file.Test { // the rules of tests compare whole trees
		t = of.sketch()
	} else if t, err = of.tree(); err != nil {
		return nil, err
	}
	f := newEditedFile(t)
	m.files[name] = f
	return f, nil
}

// Node returns the node of a file that had the given NodeID in the original;
// nil if an earlier edit removed it.
func (m *Mutation) Node(file string, id int) dst.Node {
	f, err := m.file(file)
	if err != nil || id < 0 || id >= len(f.tree.syntax) {
		return nil
	}
	wanted := f.node(id)
	if f.inPlace(id) {
		return wanted
	}
	found := false
	for _, d := range f.root.Decls {
		if found || !f.touched(d) {
			continue
		}
		dst.Inspect(d, func(n dst.Node) bool {
			found = found || n == wanted
			return !found
		})
	}
	if !found {
		return nil
	}
	return wanted
}

// Stmt is [Mutation.Node] for a statement. To insert at, to remove or to replace a
// nil one is an error, so that its operator need not ask.
func (m *Mutation) Stmt(file string, id int) dst.Stmt {
	s, _ := m.Node(file, id).(dst.Stmt)
	return s
}

// StmtOf is the statement that one of the original is now; nil if an earlier edit
// removed it.
func (m *Mutation) StmtOf(file string, s ast.Stmt) dst.Stmt {
	now, _ := m.Of(file, s).(dst.Stmt)
	return now
}

// syntax returns the original's node with a NodeID; nil if there is none.
func (m *Mutation) syntax(file string, id int) ast.Node {
	f, err := m.file(file)
	if err != nil || id < 0 || id >= len(f.tree.syntax) {
		return nil
	}
	return f.tree.syntax[id]
}

// Function returns the innermost function of the original that contains a
// node of a file, which may be the function itself; nil if none does.
func (m *Mutation) Function(file string, id int) *Function {
	if n := m.syntax(file, id); n != nil {
		return m.function(file, n)
	}
	return nil
}

func (m *Mutation) function(file string, at ast.Node) *Function {
	var innermost *Function
	for _, fn := range m.space.functionsOf(file) {
		if fn.Node.Pos() <= at.Pos() && at.End() <= fn.Node.End() {
			innermost = fn
		}
	}
	return innermost
}

// ListOf finds the statement list that holds a statement now, and its index.
func (m *Mutation) ListOf(file string, s dst.Stmt) (list *[]dst.Stmt, index int, ok bool) {
	f, err := m.file(file)
	if err != nil {
		return nil, 0, false
	}
	list, index, _ = f.listOf(s)
	return list, index, list != nil
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

// Insert puts statements before (or after) an anchor statement of a file and
// lets comments and blank lines stay with the anchor.
func (m *Mutation) Insert(file string, anchor dst.Stmt, after bool, stmts ...dst.Stmt) error {
	f, err := m.file(file)
	if err != nil {
		return err
	}
	list, i, owner := f.listOf(anchor)
	if list == nil {
		return fmt.Errorf("another edit removed the statement to insert at from %s", file)
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
func (m *Mutation) Remove(file string, s dst.Stmt) error {
	f, err := m.file(file)
	if err != nil {
		return err
	}
	list, i, owner := f.listOf(s)
	if list == nil {
		return fmt.Errorf("another edit removed the statement from %s", file)
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

// Call makes the statement l.method(), e.g. a.mu.Lock(), with a comment line above it unless note is "".
func (m *Mutation) Call(l analysis.Lock, method, note string) *dst.ExprStmt {
	call := m.call(l, method)
	s := &dst.ExprStmt{X: call}
	if note != "" {
		s.Decs.Start.Append("// " + note)
	}
	return s
}

// Defer makes the statement defer l.method().
func (m *Mutation) Defer(l analysis.Lock, method string) *dst.DeferStmt {
	return &dst.DeferStmt{Call: m.call(l, method)}
}

func (m *Mutation) call(l analysis.Lock, method string) *dst.CallExpr {
	call := &dst.CallExpr{Fun: &dst.SelectorExpr{X: parseExpr(l.Expr), Sel: dst.NewIdent(method)}}
	m.acquires[call] = insertedCall{lock: l, method: method}
	return call
}

// parseExpr makes the tree of an expression that the analysis wrote. One that
// does not parse becomes an identifier, for the type check to refuse.
func parseExpr(expr string) dst.Expr {
	if e, err := parser.ParseExpr(expr); err == nil {
		if plain := plainExpr(e); plain != nil {
			return plain
		}
	}
	f, err := decorator.Parse("package p\n\nvar _ = " + expr + "\n")
	if err == nil && len(f.Decls) == 1 {
		if d, ok := f.Decls[0].(*dst.GenDecl); ok && len(d.Specs) == 1 {
			if spec, ok := d.Specs[0].(*dst.ValueSpec); ok && len(spec.Values) == 1 {
				return dst.Clone(spec.Values[0]).(dst.Expr)
			}
		}
	}
	return dst.NewIdent(expr)
}

// plainExpr is the tree of an expression of names and selectors, as most locks
// are written; nil of others. The decorator takes far longer.
func plainExpr(e ast.Expr) dst.Expr {
	switch e := e.(type) {
	case *ast.Ident:
		return dst.NewIdent(e.Name)
	case *ast.SelectorExpr:
		if x := plainExpr(e.X); x != nil {
			return &dst.SelectorExpr{X: x, Sel: dst.NewIdent(e.Sel.Name)}
		}
	}
	return nil
}

// CallOf is the call that a statement in an edited tree only makes, at once or deferred;
// nil if it is no such statement.
func CallOf(s dst.Node) *dst.CallExpr {
	switch s := s.(type) {
	case *dst.ExprStmt:
		call, _ := s.X.(*dst.CallExpr)
		return call
	case *dst.DeferStmt:
		return s.Call
	}
	return nil
}

// IsLockCall reports whether a statement in an edited tree is only a call of a
// lock's method, at once or deferred, of the original or of an edit.
func (m *Mutation) IsLockCall(s dst.Stmt) bool {
	call := CallOf(s)
	if call == nil {
		return false
	}
	if _, ok := m.acquires[call]; ok {
		return true
	}
	for _, f := range m.files {
		if id, ok := f.ids.of(call); ok {
			_, ok := m.space.facts.lockCalls(m.space.program, f.tree.nodeIDs).byID[id]
			return ok
		}
	}
	return false
}
