package mutate

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"slices"
	"sync"

	"github.com/dave/dst"
	"github.com/dave/dst/decorator"

	"mendel/analysis"
)

// nodeIDs are the numbers of the nodes of one original file: ordinals in the pre-order
// walk of its syntax without comments, which is that of its tree, too. What is known of an
// original for long is known of its nodeIDs: syntax is there anyway, trees are large.
type nodeIDs struct {
	file     *analysis.File
	syntax   []ast.Node    // by NodeID
	decls    []int         // NodeIDs of the declarations, in order
	parents  []int32       // NodeID of the node above, by NodeID; the root's own for the root
	bySyntax ordinals      // of syntax
	printed  lazy[printed] // see tree.print
}

// A tree is the decorated syntax tree of one original file. It is never
// changed; mutants work on clones, whose walk gives the same numbers.
//
// A sketch is a tree of which there is only what edits ask for: its root has empty
// declarations in the places of the original's, and a clone of one is made of the syntax,
// without the comments. It takes little memory, and shows what can be edited, but cannot
// be printed.
type tree struct {
	*nodeIDs
	root   *dst.File
	nodes  []dst.Node // of root, by NodeID; nil in a sketch
	byNode ordinals   // of nodes; in a sketch, of the root's declarations
	fset   *token.FileSet
}

// printed is a tree's root as it prints: the original, unless dst or gofmt would change it.
type printed struct {
	source []byte
	err    error
}

func newNodeIDs(f *analysis.File) *nodeIDs {
	ids := &nodeIDs{file: f}
	path := []int32{0}
	ast.Inspect(f.AST, func(n ast.Node) bool {
		switch n.(type) {
		case nil:
			path = path[:len(path)-1]
			return true
		case *ast.Comment, *ast.CommentGroup:
			return false
		}
		ids.parents = append(ids.parents, path[len(path)-1])
		path = append(path, int32(len(ids.syntax)))
		ids.syntax = append(ids.syntax, n)
		return true
	})
	ids.syntax, ids.parents = slices.Clip(ids.syntax), slices.Clip(ids.parents)
	ids.bySyntax = newOrdinals(ids.syntax)
	for _, d := range f.AST.Decls {
		ids.decls = append(ids.decls, ids.known(d))
	}
	return ids
}

func newTree(fset *token.FileSet, ids *nodeIDs) (*tree, error) {
	dec := decorator.NewDecorator(fset)
	root, err := dec.DecorateFile(ids.file.AST)
	if err != nil {
		return nil, fmt.Errorf("decorating %s: %w", ids.file.Rel, err)
	}
	t := &tree{nodeIDs: ids, root: root, fset: fset}
	if t.nodes, err = ids.numbered(dec, root, 0, len(ids.syntax)); err != nil {
		return nil, err
	}
	t.byNode = newOrdinals(t.nodes)
	return t, nil
}

// newSketch makes a sketch of a file.
func newSketch(fset *token.FileSet, ids *nodeIDs) *tree {
	root := &dst.File{Name: dst.NewIdent(ids.file.AST.Name.Name)}
	for range ids.decls {
		root.Decls = append(root.Decls, &dst.BadDecl{})
	}
	return &tree{nodeIDs: ids, root: root, byNode: newOrdinals(root.Decls), fset: fset}
}

// sketch reports whether the tree is one.
func (t *tree) sketch() bool { return t.nodes == nil }

// clone copies a declaration, and lists the nodes of the copy by NodeID.
func (t *tree) clone(decl int) (dst.Decl, []dst.Node) {
	first, end := t.declRange(decl)
	if !t.sketch() {
		clone := dst.Clone(t.root.Decls[decl]).(dst.Decl)
		return clone, number(clone, end-first)
	}
	made := bare(t.syntax[first]).(dst.Decl)
	nodes := number(made, end-first)
	if len(nodes) != end-first {
		panic(fmt.Sprintf("mutate: a sketch of %s has %d nodes where there are %d", t.file.Rel, len(nodes), end-first))
	}
	return made, nodes
}

// numbered lists the nodes of a tree that was made of the syntax with the NodeIDs
// [first,end).
func (ids *nodeIDs) numbered(dec *decorator.Decorator, root dst.Node, first, end int) ([]dst.Node, error) {
	nodes := number(root, end-first)
	for i, n := range nodes {
		if first+i >= end || dec.Ast.Nodes[n] != ids.syntax[first+i] {
			return nil, fmt.Errorf("decorating %s: node %d is another one", ids.file.Rel, first+i)
		}
	}
	return nodes, nil
}

// number is the NodeID of a node of root; in a sketch, of a declaration.
func (t *tree) number(n dst.Node) (id int, ok bool) {
	if !t.sketch() {
		return ordinal(t.byNode, t.nodes, n)
	}
	d, ok := n.(dst.Decl)
	if !ok {
		return 0, false
	}
	if id, ok = ordinal(t.byNode, t.root.Decls, d); ok {
		id = t.decls[id]
	}
	return id, ok
}

// id is the NodeID of a syntax node.
func (ids *nodeIDs) id(n ast.Node) (id int, ok bool) { return ordinal(ids.bySyntax, ids.syntax, n) }

// known is the NodeID of a node that the file has.
func (ids *nodeIDs) known(n ast.Node) int {
	id, _ := ids.id(n)
	return id
}

// print is the source of the unedited tree.
func (t *tree) print() ([]byte, error) {
	p := t.printed.get(func() printed {
		source, err := printTree(t.root)
		return printed{source, err}
	})
	if p.err != nil {
		return nil, fmt.Errorf("printing %s: %w", t.file.Rel, p.err)
	}
	return p.source, nil
}

// number lists the nodes of a tree, about so many, in pre-order.
func number(root dst.Node, about int) []dst.Node {
	nodes := make([]dst.Node, 0, about)
	dst.Inspect(root, func(n dst.Node) bool {
		if n != nil {
			nodes = append(nodes, n)
		}
		return true
	})
	return nodes
}

// declOf is the index of the declaration that a node is in; -1 for what is in none.
func (ids *nodeIDs) declOf(id int) int {
	i, found := slices.BinarySearch(ids.decls, id)
	if found {
		return i
	}
	return i - 1
}

// declRange is the first NodeID of the declaration with an index, and the one
// behind its last.
func (ids *nodeIDs) declRange(decl int) (first, end int) {
	if decl+1 < len(ids.decls) {
		return ids.decls[decl], ids.decls[decl+1]
	}
	return ids.decls[decl], len(ids.syntax)
}

// printTree prints a tree as gofmt does.
func printTree(root *dst.File) ([]byte, error) {
	var out bytes.Buffer
	if err := decorator.Fprint(&out, root); err != nil {
		return nil, err
	}
	// A second pass, because the first may see positions that only exist in
	// the restored tree: what is printed must be a fixed point of gofmt.
	return format.Source(out.Bytes())
}

// trees holds the tree of each file asked for. It is safe for concurrent use.
type trees struct {
	program *analysis.Program
	mu      sync.Mutex
	byFile  map[string]*fileTree // guarded by mu; by module-relative name
}

// A fileTree is the tree of a file, made on first use. To number the file's nodes takes
// much less, and is done apart.
type fileTree struct {
	ids  lazy[*nodeIDs]
	made lazy[decorated]
	fset *token.FileSet
	file *analysis.File
}

// decorated is a tree, or why there is none.
type decorated struct {
	tree *tree
	err  error
}

// nodeIDs numbers the file's nodes.
func (f *fileTree) nodeIDs() *nodeIDs {
	return f.ids.get(func() *nodeIDs { return newNodeIDs(f.file) })
}

// sketch makes a sketch of the file.
func (f *fileTree) sketch() *tree { return newSketch(f.fset, f.nodeIDs()) }

func (f *fileTree) tree() (*tree, error) {
	d := f.made.get(func() decorated {
		t, err := newTree(f.fset, f.nodeIDs())
		return decorated{t, err}
	})
	return d.tree, d.err
}

func newTrees(p *analysis.Program) *trees {
	return &trees{program: p, byFile: make(map[string]*fileTree)}
}

// of finds the tree of a module-relative file, to be asked for.
func (ts *trees) of(name string) (*fileTree, error) {
	ts.mu.Lock()
	known := ts.byFile[name]
	ts.mu.Unlock()
	if known != nil {
		return known, nil
	}
	f := ts.program.File(name)
	if f == nil {
		return nil, fmt.Errorf("%s is not a file of the loaded program", name)
	}
	return ts.later(f), nil
}

// later is the tree of a file, to be asked for.
func (ts *trees) later(f *analysis.File) *fileTree {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.byFile[f.Rel] == nil {
		ts.byFile[f.Rel] = &fileTree{fset: ts.program.Fset, file: f}
	}
	return ts.byFile[f.Rel]
}
