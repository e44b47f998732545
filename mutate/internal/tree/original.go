package tree

import (
	"go/ast"
	"go/token"
	"iter"
	"slices"

	"golang.org/x/tools/go/ast/astutil"

	"mendel/analysis"
)

// An Original is an original file with its nodes numbered: a NodeID is the ordinal of a node in
// the pre-order walk of the syntax without comments, which is that of the decorated tree, too. What
// is known of a file for long is known of its Original: syntax is there anyway, trees are large.
type Original struct {
	File     *analysis.File
	syntax   []ast.Node // by NodeID
	decls    []int      // NodeIDs of the declarations, in order
	parents  []int32    // NodeID of the node above, by NodeID; the root's own for the root
	bySyntax nodeIndex  // of syntax
}

func newOriginal(f *analysis.File) *Original {
	o := &Original{File: f}
	path := []int32{0}
	ast.Inspect(f.AST, func(n ast.Node) bool {
		switch n.(type) {
		case nil:
			path = path[:len(path)-1]
			return true
		case *ast.Comment, *ast.CommentGroup:
			return false
		}
		o.parents = append(o.parents, path[len(path)-1])
		path = append(path, int32(len(o.syntax)))
		o.syntax = append(o.syntax, n)
		return true
	})
	o.syntax, o.parents = slices.Clip(o.syntax), slices.Clip(o.parents)
	o.bySyntax = newNodeIndex(o.syntax)
	for _, d := range f.AST.Decls {
		o.decls = append(o.decls, o.known(d))
	}
	return o
}

// ID is the NodeID of a node.
func (o *Original) ID(n ast.Node) (id int, ok bool) { return indexOf(o.bySyntax, o.syntax, n) }

// known is the NodeID of a node that the file has.
func (o *Original) known(n ast.Node) int {
	id, _ := o.ID(n)
	return id
}

// Node is the node with a NodeID; nil if there is none.
func (o *Original) Node(id int) ast.Node {
	if id < 0 || id >= len(o.syntax) {
		return nil
	}
	return o.syntax[id]
}

// Nodes are the file's nodes by NodeID, in the order of these.
func (o *Original) Nodes() iter.Seq2[int, ast.Node] { return slices.All(o.syntax) }

// Parent is the NodeID of the node above one; the file's own for the file.
func (o *Original) Parent(id int) int { return int(o.parents[id]) }

// DeclOf is the index of the declaration that a node is in; -1 for what is in none.
func (o *Original) DeclOf(id int) int {
	i, found := slices.BinarySearch(o.decls, id)
	if found {
		return i
	}
	return i - 1
}

// declRange is the first NodeID of the declaration with an index, and the one
// behind its last.
func (o *Original) declRange(decl int) (first, end int) {
	if decl+1 < len(o.decls) {
		return o.decls[decl], o.decls[decl+1]
	}
	return o.decls[decl], len(o.syntax)
}

// pathAt lists the nodes around an offset, innermost first.
func (o *Original) pathAt(offset int) []ast.Node {
	start, size := o.File.AST.FileStart, int(o.File.AST.FileEnd-o.File.AST.FileStart)
	if offset < 0 || offset >= size {
		return []ast.Node{o.File.AST}
	}
	path, _ := astutil.PathEnclosingInterval(o.File.AST, start+token.Pos(offset), start+token.Pos(offset)+1)
	return path
}
