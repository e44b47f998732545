package mutate

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"github.com/dave/dst"
	"github.com/dave/dst/decorator"
)

// An editedFile is an original tree with edits: a declaration is cloned when an
// edit first asks for a node of it, and all others are the original's.
type editedFile struct {
	tree   *tree
	root   *dst.File
	clones map[int][]dst.Node // nodes of cloned declarations, by the declaration's index in the original
	ids    *numbering         // of the nodes that come from the original
	final  *restored          // see restore
}

// A numbering knows the NodeIDs of nodes of an original tree and of its clones.
type numbering struct {
	original *tree
	clones   []dst.Node
	ids      []int32  // of the clones
	index    ordinals // of the clones
}

// of is a node's NodeID; ok is false for nodes that edits made.
func (n *numbering) of(node dst.Node) (id int, ok bool) {
	if i, ok := ordinal(n.index, n.clones, node); ok {
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

func newEditedFile(t *tree) *editedFile {
	root := *t.root
	root.Decls, root.Imports = slices.Clone(root.Decls), slices.Clone(root.Imports)
	decs := &root.Decs
	for _, d := range []*dst.Decorations{&decs.Start, &decs.Package, &decs.Name, &decs.End} {
		*d = slices.Clone(*d)
	}
	f := &editedFile{tree: t, root: &root, clones: make(map[int][]dst.Node), ids: &numbering{original: t}}
	f.ids.add([]dst.Node{f.root}, 0)
	return f
}

// node is what a node of the original has become, for an edit to change; edits
// before may have taken it out of the tree.
func (f *editedFile) node(id int) dst.Node {
	f.own(f.tree.declOf(id))
	return f.at(id)
}

// at is what a node of the original has become, not to be changed.
func (f *editedFile) at(id int) dst.Node {
	if id == 0 {
		return f.root
	}
	decl := f.tree.declOf(id)
	if f.tree.sketch() {
		f.own(decl)
	}
	if nodes := f.clones[decl]; nodes != nil {
		return nodes[id-f.tree.decls[decl]]
	}
	return f.tree.nodes[id]
}

// own clones a declaration of the original that was not asked for yet; -1 is none.
func (f *editedFile) own(decl int) {
	if decl < 0 || f.clones[decl] != nil {
		return
	}
	clone, nodes := f.tree.clone(decl)
	f.root.Decls[slices.Index(f.root.Decls, f.tree.root.Decls[decl])] = clone
	f.ids.add(nodes, f.tree.decls[decl])
	f.clones[decl] = nodes
}

// ownImports clones the import declarations.
func (f *editedFile) ownImports() {
	for i, d := range f.tree.file.AST.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			f.own(i)
		}
	}
}

// touched reports whether a declaration of the tree is not the original's: an edit
// has made it, or has asked for a node of it.
func (f *editedFile) touched(d dst.Decl) bool {
	_, original := f.tree.number(d)
	return !original
}

// inPlace reports whether a node has the parents that it had in the original, and
// so is still in the tree; one that was moved is not in place.
func (f *editedFile) inPlace(id int) bool {
	for id != 0 {
		above := int(f.tree.parents[id])
		if !isChild(f.at(above), f.at(id)) {
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

// listOf finds the list that holds a statement, and what the list belongs to.
func (f *editedFile) listOf(s dst.Stmt) (list *[]dst.Stmt, index int, owner dst.Node) {
	if s == nil {
		return nil, 0, nil
	}
	if id, original := f.ids.of(s); original && f.inPlace(id) {
		owner := f.at(int(f.tree.parents[id]))
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

// restored are the declarations of an edited file that edits have touched, as syntax
// without types, and the nodes of the tree that its nodes come from.
type restored struct {
	decls []ast.Decl
	nodes map[ast.Node]dst.Node
	ids   *numbering
}

// restore makes syntax of the declarations touched, once: all edits have been made then.
func (f *editedFile) restore() *restored {
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
		panic(fmt.Sprintf("mutate: restoring %s: %v", f.tree.file.Rel, err)) // only imports can fail, and there are none
	}
	f.final = &restored{made.Decls, r.Dst.Nodes, f.ids}
	return f.final
}
