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

// A tree is the decorated syntax tree of one original file, numbered: a
// NodeID is a node's ordinal in the pre-order walk of this tree. It is never
// changed; mutants work on clones, whose walk gives the same numbers.
type tree struct {
	file    *analysis.File
	root    *dst.File
	nodes   []dst.Node // of root, by NodeID
	syntax  []ast.Node // syntax node by NodeID
	decls   []int      // NodeIDs of the declarations, in order
	parents []int32    // NodeID of the node above, by NodeID; the root's own for the root

	byNode, bySyntax ordinals        // of nodes and syntax
	aliases          map[int]aliases // by NodeID of the declared function
	printed          lazy[printed]   // see tree.print
}

// printed is root as it prints: the original, unless dst or gofmt would change it.
type printed struct {
	source []byte
	err    error
}

func newTree(fset *token.FileSet, f *analysis.File) (*tree, error) {
	dec := decorator.NewDecorator(fset)
	root, err := dec.DecorateFile(f.AST)
	if err != nil {
		return nil, fmt.Errorf("decorating %s: %w", f.Rel, err)
	}
	nodes := number(root, len(dec.Ast.Nodes))
	t := &tree{
		file: f, root: root, nodes: nodes, syntax: make([]ast.Node, len(nodes)), aliases: make(map[int]aliases),
		byNode: newOrdinals(nodes),
	}
	for id, n := range nodes {
		syntax := dec.Ast.Nodes[n]
		t.syntax[id] = syntax
		if fd, ok := syntax.(*ast.FuncDecl); ok {
			t.aliases[id] = findAliases(fd)
		}
	}
	t.bySyntax = newOrdinals(t.syntax)
	t.parents = parentsOf(root, len(t.nodes))
	for _, d := range root.Decls {
		id, _ := t.number(d)
		t.decls = append(t.decls, id)
	}
	return t, nil
}

// number is the NodeID of a node of root.
func (t *tree) number(n dst.Node) (id int, ok bool) { return ordinal(t.byNode, t.nodes, n) }

// id is the NodeID of a syntax node.
func (t *tree) id(n ast.Node) (id int, ok bool) { return ordinal(t.bySyntax, t.syntax, n) }

// known is the NodeID of a node that the tree has.
func (t *tree) known(n ast.Node) int {
	id, _ := t.id(n)
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
func (t *tree) declOf(id int) int {
	i, found := slices.BinarySearch(t.decls, id)
	if found {
		return i
	}
	return i - 1
}

// declRange is the first NodeID of the declaration with an index, and the one
// behind its last.
func (t *tree) declRange(decl int) (first, end int) {
	if decl+1 < len(t.decls) {
		return t.decls[decl], t.decls[decl+1]
	}
	return t.decls[decl], len(t.nodes)
}

// parentsOf lists the NodeIDs of the nodes above each of the n of a tree.
func parentsOf(root *dst.File, n int) []int32 {
	parents := make([]int32, 0, n)
	path := []int32{0}
	dst.Inspect(root, func(n dst.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		parents = append(parents, path[len(path)-1])
		path = append(path, int32(len(parents)-1))
		return true
	})
	return parents
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
	byFile  map[string]*lazyTree // guarded by mu; by module-relative name
}

// A lazyTree is the tree of a file, made on first use.
type lazyTree struct {
	lazy[decorated]
	fset *token.FileSet
	file *analysis.File
}

// decorated is a tree, or why there is none.
type decorated struct {
	tree *tree
	err  error
}

func (l *lazyTree) tree() (*tree, error) {
	d := l.get(func() decorated {
		t, err := newTree(l.fset, l.file)
		return decorated{t, err}
	})
	return d.tree, d.err
}

func newTrees(p *analysis.Program) *trees {
	return &trees{program: p, byFile: make(map[string]*lazyTree)}
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
func (ts *trees) later(f *analysis.File) *lazyTree {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.byFile[f.Rel] == nil {
		ts.byFile[f.Rel] = &lazyTree{fset: ts.program.Fset, file: f}
	}
	return ts.byFile[f.Rel]
}
