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
type tree struct {
	*nodeIDs
	root   *dst.File
	nodes  []dst.Node // of root, by NodeID
	byNode ordinals   // of nodes
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
	t := &tree{nodeIDs: ids, root: root, nodes: number(root, len(ids.syntax))}
	for id, n := range t.nodes {
		if id >= len(ids.syntax) || dec.Ast.Nodes[n] != ids.syntax[id] {
			return nil, fmt.Errorf("decorating %s: node %d is another one", ids.file.Rel, id)
		}
	}
	t.byNode = newOrdinals(t.nodes)
	return t, nil
}

// number is the NodeID of a node of root.
func (t *tree) number(n dst.Node) (id int, ok bool) { return ordinal(t.byNode, t.nodes, n) }

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

// of returns the tree of a module-relative file.
func (ts *trees) of(name string) (*tree, error) {
	ts.mu.Lock()
	known := ts.byFile[name]
	ts.mu.Unlock()
	if known != nil {
		return known.tree()
	}
	f := ts.program.File(name)
	if f == nil {
		return nil, fmt.Errorf("%s is not a file of the loaded program", name)
	}
	return ts.later(f).tree()
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
