package mutate

import (
	"fmt"
	"go/ast"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"

	"mendel/analysis"
)

// Program is the original program.
func (m *Mutation) Program() *analysis.Program { return m.space.program }

// Syntax returns the original's node with a NodeID; nil if there is none.
func (m *Mutation) Syntax(file string, id int) ast.Node { return m.syntax(file, id) }

// Of returns what a node of an original file has become in its edited tree; nil
// if an earlier edit removed it. The file is named relative to the module.
func (m *Mutation) Of(file string, n ast.Node) dst.Node {
	f, err := m.file(file)
	if err != nil {
		return nil
	}
	id, ok := f.tree.id(n)
	if !ok {
		return nil
	}
	return m.Node(file, id)
}

// Replace puts an expression or statement in the place of another one of a
// file, whose comments and blank lines it takes over.
func (m *Mutation) Replace(file string, old, now dst.Node) error {
	f, err := m.file(file)
	if err != nil {
		return err
	}
	if old == nil {
		return fmt.Errorf("another edit removed the code to replace from %s", file)
	}
	if id, original := f.ids.of(old); original && id != 0 && f.inPlace(id) {
		replaceBelow(f.at(int(f.tree.parents[id])), old, now)
		return nil
	}
	for _, d := range f.root.Decls {
		if f.touched(d) && replaceBelow(d, old, now) {
			return nil
		}
	}
	return fmt.Errorf("the code to replace is no longer in %s", file)
}

// replaceBelow puts a node in the place of another one somewhere below a root. It
// reports whether it was there.
func replaceBelow(root, old, now dst.Node) bool {
	replaced := false
	dstutil.Apply(root, func(c *dstutil.Cursor) bool {
		if c.Node() == old && !replaced {
			replaced = true
			takeOver(old, now)
			c.Replace(now)
			return false
		}
		return !replaced
	}, nil)
	return replaced
}

// takeOver gives one node the comments before and behind another one.
func takeOver(old, now dst.Node) {
	from, to := old.Decorations(), now.Decorations()
	to.Before, to.After = from.Before, from.After
	to.Start = append(from.Start, to.Start...)
	to.End = append(to.End, from.End...)
	from.Before, from.After, from.Start, from.End = dst.None, dst.None, nil, nil
}

// ID is the NodeID of a node of one of the program's files.
func (w *Whole) ID(f *analysis.File, n ast.Node) (id int, ok bool) {
	return w.space.trees.later(f).nodeIDs().id(n)
}

// Editable reports whether a file may be edited.
func (w *Whole) Editable(f *analysis.File) bool { return w.space.functions[f.Rel] != nil }

// Retarget makes a call of a function one of another function, of the same
// value where it is a method.
func (m *Mutation) Retarget(e Edit, call *ast.CallExpr, name string) error {
	f, err := m.file(e.File)
	if err != nil {
		return err
	}
	old, ok := m.Node(e.File, f.tree.known(call)).(*dst.CallExpr)
	if !ok {
		return Refuse(e, "another edit removed a call")
	}
	// A new node, because the old one stands for a call of the old function.
	to := &dst.CallExpr{Fun: old.Fun, Args: old.Args, Ellipsis: old.Ellipsis, Decs: old.Decs}
	switch fun := old.Fun.(type) {
	case *dst.SelectorExpr:
		fun.Sel.Name = name
	case *dst.Ident:
		fun.Name = name
	default:
		return Refuse(e, "the call names no function")
	}
	dstutil.Apply(f.root, func(c *dstutil.Cursor) bool {
		if c.Node() == dst.Node(old) {
			c.Replace(to)
			return false
		}
		return true
	}, nil)
	return nil
}
