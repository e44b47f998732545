package mutate

import (
	"go/ast"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/mutate/internal/lockcall"
	"mendel/mutate/internal/tree"
)

// A Mutation is a program being edited: one tree for each file touched. Files are named
// relative to the module.
type Mutation struct {
	space    *Space
	sketch   bool                            // the trees are sketches, but those of tests
	files    map[string]*tree.Edited         // by module-relative name
	acquires map[*dst.CallExpr]lockcall.Call // that Call and Defer made
	declared map[string]*tree.Declaration    // by lock key
}

func newMutation(s *Space) *Mutation {
	return &Mutation{
		space:    s,
		files:    make(map[string]*tree.Edited),
		acquires: make(map[*dst.CallExpr]lockcall.Call),
		declared: make(map[string]*tree.Declaration),
	}
}

// newSketchMutation is for edits of which nothing is to be known but whether they can be
// made and what they come to: it is never printed.
func newSketchMutation(s *Space) *Mutation {
	m := newMutation(s)
	m.sketch = true
	return m
}

// File is the tree of a file, to be edited.
func (m *Mutation) File(name string) (*tree.Edited, error) {
	if f := m.files[name]; f != nil {
		return f, nil
	}
	edit := m.space.trees.Edit
	if of := m.space.program.File(name); m.sketch && of != nil && !of.Test { // the rules of tests compare whole trees
		edit = m.space.trees.Sketch
	}
	f, err := edit(name)
	if err != nil {
		return nil, err
	}
	m.files[name] = f
	return f, nil
}

// in does something to the tree of a file.
func (m *Mutation) in(file string, do func(f *tree.Edited) error) error {
	f, err := m.File(file)
	if err != nil {
		return err
	}
	return do(f)
}

// Program is the original program.
func (m *Mutation) Program() *analysis.Program { return m.space.program }

// Syntax returns the original's node with a NodeID; nil if there is none.
func (m *Mutation) Syntax(file string, id int) ast.Node {
	f, err := m.File(file)
	if err != nil {
		return nil
	}
	return f.Original.Node(id)
}

// Node returns the node of a file that had the given NodeID in the original;
// nil if an earlier edit removed it.
func (m *Mutation) Node(file string, id int) dst.Node {
	f, err := m.File(file)
	if err != nil {
		return nil
	}
	return f.Node(id)
}

// Stmt is [Mutation.Node] for a statement. To insert at, to remove or to replace a
// nil one is an error, so that its operator need not ask.
func (m *Mutation) Stmt(file string, id int) dst.Stmt {
	s, _ := m.Node(file, id).(dst.Stmt)
	return s
}

// Of returns what a node of an original file has become in its edited tree; nil
// if an earlier edit removed it.
func (m *Mutation) Of(file string, n ast.Node) dst.Node {
	f, err := m.File(file)
	if err != nil {
		return nil
	}
	return f.Now(n)
}

// StmtOf is the statement that one of the original is now; nil if an earlier edit
// removed it.
func (m *Mutation) StmtOf(file string, s ast.Stmt) dst.Stmt {
	now, _ := m.Of(file, s).(dst.Stmt)
	return now
}

// Function returns the innermost function of the original that contains a
// node of a file, which may be the function itself; nil if none does.
func (m *Mutation) Function(file string, id int) *Function {
	if n := m.Syntax(file, id); n != nil {
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
	f, err := m.File(file)
	if err != nil {
		return nil, 0, false
	}
	list, index = f.ListOf(s)
	return list, index, list != nil
}

// Insert puts statements before (or after) an anchor statement of a file and
// lets comments and blank lines stay with the anchor.
func (m *Mutation) Insert(file string, anchor dst.Stmt, after bool, stmts ...dst.Stmt) error {
	return m.in(file, func(f *tree.Edited) error { return f.Insert(anchor, after, stmts...) })
}

// InsertSnippet is Insert of a [tree.Snippet].
func (m *Mutation) InsertSnippet(file string, anchor dst.Stmt, after bool, src string) error {
	stmts, err := tree.Snippet(src)
	if err != nil {
		return err
	}
	return m.Insert(file, anchor, after, stmts...)
}

// Prepend puts a [tree.Snippet] first into the body of the original's function with
// a NodeID.
func (m *Mutation) Prepend(file string, function int, src string) error {
	return m.intoBody(file, function, true, src)
}

// Append puts a [tree.Snippet] last into the body of the original's function with a
// NodeID.
func (m *Mutation) Append(file string, function int, src string) error {
	return m.intoBody(file, function, false, src)
}

func (m *Mutation) intoBody(file string, function int, first bool, src string) error {
	stmts, err := tree.Snippet(src)
	if err != nil {
		return err
	}
	return m.in(file, func(f *tree.Edited) error { return f.IntoBody(function, first, stmts...) })
}

// Remove takes a statement out; its comments go to its neighbour, a blank
// line before it is kept once.
func (m *Mutation) Remove(file string, s dst.Stmt) error {
	return m.in(file, func(f *tree.Edited) error { return f.Remove(s) })
}

// Drop removes a statement with the comment on its line. An else that is left empty goes too.
func (m *Mutation) Drop(file string, s dst.Stmt) error {
	return m.in(file, func(f *tree.Edited) error { return f.Drop(s) })
}

// Carry takes a statement to before (or after) an anchor. A comment on its line goes with it,
// comments above it stay, and the note is put above it.
func (m *Mutation) Carry(file string, s, anchor dst.Stmt, after bool, note string) error {
	return m.in(file, func(f *tree.Edited) error { return f.Carry(s, anchor, after, note) })
}

// Move puts a statement with its comments before (or after) another one of the file.
func (m *Mutation) Move(file string, s, anchor dst.Stmt, after bool) error {
	return m.in(file, func(f *tree.Edited) error { return f.Move(s, anchor, after) })
}

// Replace puts an expression or statement in the place of another one of a
// file, whose comments and blank lines it takes over.
func (m *Mutation) Replace(file string, old, now dst.Node) error {
	return m.in(file, func(f *tree.Edited) error { return f.Replace(old, now) })
}

// Retarget makes a call of a function one of another function, of the same
// value where it is a method.
func (m *Mutation) Retarget(e Edit, call *ast.CallExpr, name string) error {
	err := m.in(e.File, func(f *tree.Edited) error { return f.Retarget(call, name) })
	if err != nil {
		return Refuse(e, "%v", err)
	}
	return nil
}

// Import makes sure that a file imports a package of the standard library and
// returns the name that qualifies what it exports there: its own, the name it
// was renamed to, or "" for a dot import.
func (m *Mutation) Import(file, importPath string) (name string, err error) {
	err = m.in(file, func(f *tree.Edited) error { name = f.Import(importPath); return nil })
	return name, err
}
