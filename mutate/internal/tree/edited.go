package tree

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"github.com/dave/dst"
	"github.com/dave/dst/decorator"
)

// An Edited is a file with edits: a declaration of the original's tree is cloned when an
// edit first asks for a node of it, and all others are the original's.
type Edited struct {
	Original *Original
	tree     *decorated
	root     *dst.File
	clones   map[int][]dst.Node // nodes of cloned declarations, by the declaration's index in the original
	ids      *numbering         // of the nodes that come from the original
	final    *Restored          // see Restore
}

// A numbering knows the NodeIDs of nodes of an original tree and of its clones.
type numbering struct {
	original *decorated
	clones   []dst.Node
	ids      []int32   // of the clones
	index    nodeIndex // of the clones
}

// of is a node's NodeID; ok is false for nodes that edits made.
func (n *numbering) of(node dst.Node) (id int, ok bool) {
	if i, ok := indexOf(n.index, n.clones, node); ok {
		return int(n.ids[i]), true
	}
	return n.original.number(node)
}

// add numbers clones of the original's nodes from one on.
func (n *numbering) add(nodes []dst.Node, first int) {
	known := len(n.clones)
	n.clones = append(n.clones, nodes...)
	for i := range nodes {
		n.ids = append(n.ids, int32(first+i))
	}
	n.index = n.index.with(n.clones, known)
}

func edit(t *decorated) *Edited {
	root := *t.root
	root.Decls, root.Imports = slices.Clone(root.Decls), slices.Clone(root.Imports)
	decs := &root.Decs
	for _, d := range []*dst.Decorations{&decs.Start, &decs.Package, &decs.Name, &decs.End} {
		*d = slices.Clone(*d)
	}
	f := &Edited{Original: t.Original, tree: t, root: &root, clones: make(map[int][]dst.Node), ids: &numbering{original: t}}
	f.ids.add([]dst.Node{f.root}, 0)
	return f
}

// Root is the tree as it is now.
func (f *Edited) Root() *dst.File { return f.root }

// ID is the NodeID of a node; ok is false for nodes that edits made.
func (f *Edited) ID(n dst.Node) (id int, ok bool) { return f.ids.of(n) }

// Node is what a node of the original has become, for an edit to change; nil if an
// earlier edit removed it, or there is none.
func (f *Edited) Node(id int) dst.Node {
	if f.Original.Node(id) == nil {
		return nil
	}
	wanted := f.node(id)
	if f.inPlace(id) {
		return wanted
	}
	for _, d := range f.root.Decls {
		if f.touched(d) && contains(d, wanted) {
			return wanted
		}
	}
	return nil
}

// contains reports whether a node is somewhere below a root, or is the root.
func contains(root, wanted dst.Node) (found bool) {
	dst.Inspect(root, func(n dst.Node) bool {
		found = found || n == wanted
		return !found
	})
	return found
}

// Now is [Edited.Node] of a node of the original's syntax; nil of another one.
func (f *Edited) Now(n ast.Node) dst.Node {
	id, ok := f.Original.ID(n)
	if !ok {
		return nil
	}
	return f.Node(id)
}

// node is what a node of the original has become, for an edit to change; edits
// before may have taken it out of the tree.
func (f *Edited) node(id int) dst.Node {
	f.own(f.Original.DeclOf(id))
	return f.At(id)
}

// Was is a node of the original's tree, as it was before any edit; a sketch has none.
func (f *Edited) Was(id int) dst.Node { return f.tree.nodes[id] }

// Touched reports whether an edit has asked for a node of the declaration that one of the
// original is in.
func (f *Edited) Touched(id int) bool { return f.clones[f.Original.DeclOf(id)] != nil }

// At is what a node of the original has become, not to be changed; edits may have taken it
// out of the tree.
func (f *Edited) At(id int) dst.Node {
	if id == 0 {
		return f.root
	}
	decl := f.Original.DeclOf(id)
	if f.tree.sketched() {
		f.own(decl)
	}
	if nodes := f.clones[decl]; nodes != nil {
		return nodes[id-f.Original.decls[decl]]
	}
	return f.tree.nodes[id]
}

// own clones a declaration of the original that was not asked for yet; -1 is none.
func (f *Edited) own(decl int) {
	if decl < 0 || f.clones[decl] != nil {
		return
	}
	clone, nodes := f.tree.clone(decl)
	f.root.Decls[slices.Index(f.root.Decls, f.tree.root.Decls[decl])] = clone
	f.ids.add(nodes, f.Original.decls[decl])
	f.clones[decl] = nodes
}

// ownImports clones the import declarations.
func (f *Edited) ownImports() {
	for i, d := range f.Original.File.AST.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			f.own(i)
		}
	}
}

// touched reports whether a declaration of the tree is not the original's: an edit
// has made it, or has asked for a node of it.
func (f *Edited) touched(d dst.Decl) bool {
	_, original := f.tree.number(d)
	return !original
}

// inPlace reports whether a node has the parents that it had in the original, and
// so is still in the tree; one that was moved is not in place.
func (f *Edited) inPlace(id int) bool {
	for id != 0 {
		above := int(f.Original.parents[id])
		if !isChild(f.At(above), f.At(id)) {
			return false
		}
		id = above
	}
	return true
}

// isChild reports whether a node is directly below another.
func isChild(parent, child dst.Node) bool {
	found := false
	dst.Inspect(parent, func(n dst.Node) bool {
		found = found || n == child
		return n == parent && !found
	})
	return found
}

// A Restored are the declarations of a file that edits have touched, as syntax without types.
type Restored struct {
	Decls []ast.Decl
	nodes map[ast.Node]dst.Node
	ids   *numbering
}

// Node is the node of the tree that one of the syntax comes from.
func (r *Restored) Node(n ast.Node) dst.Node { return r.nodes[n] }

// ID is the NodeID of a node; ok is false for nodes that edits made.
func (r *Restored) ID(n ast.Node) (id int, ok bool) { return r.ids.of(r.nodes[n]) }

// Restore makes syntax of the declarations touched, once: all edits have been made then.
func (f *Edited) Restore() *Restored {
	if f.final != nil {
		return f.final
	}
	file := &dst.File{Name: dst.NewIdent("p")}
	for _, d := range f.root.Decls {
		if f.touched(d) {
			file.Decls = append(file.Decls, d)
		}
	}
	r := decorator.NewRestorer()
	made, err := r.RestoreFile(file)
	if err != nil {
		panic(fmt.Sprintf("tree: restoring %s: %v", f.Original.File.Rel, err)) // only imports can fail, and there are none
	}
	f.final = &Restored{made.Decls, r.Dst.Nodes, f.ids}
	return f.final
}
