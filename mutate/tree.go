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

// NodeIDs are the numbers of the nodes of one original file: ordinals in the pre-order
// walk of its syntax without comments, which is that of its tree, too.
type nodeIDs struct {
	file     *analysis.File
	syntax   []ast.Node      // by NodeID
	decls    []int           // NodeIDs of the declarations, in order
	parents  []int32         // NodeID of the node above, by NodeID; the root's own for the root
	bySyntax ordinals        // of syntax
	aliases  map[int]aliases // by NodeID of the declared function
	printed  lazy[printed]   // see tree.print
}

// A tree is the decorated syntax tree of one original file. It is never
// changed; mutants work on clones, whose walk gives the same numbers. Trees are large, and
// those that nobody has asked for lately are made anew: what is known for longer
// is known of NodeIDs.
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
	ids := &nodeIDs{file: f, aliases: make(map[int]aliases)}
	path := []int32{0}
	ast.Inspect(f.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			path = path[:len(path)-1]
			return true
		case *ast.Comment, *ast.CommentGroup:
			return false
		case *ast.FuncDecl:
			ids.aliases[len(ids.syntax)] = findAliases(n)
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

// trees holds what is known of each file, and the trees that were asked for last. It is
// safe for concurrent use.
type trees struct {
	program *analysis.Program
	mu      sync.Mutex
	byFile  map[string]*fileTree // guarded by mu; by module-relative name
	recent  []*fileTree          // guarded by mu; those with trees, the one asked for last behind
	all     bool                 // guarded by mu; none goes; see keepAll
	most    int                  // nodes of the trees that are kept otherwise
}

// maxTreeNodes is how many nodes the trees have together that are kept: some ten large files, or all of most modules. A node takes about 150 bytes.
const maxTreeNodes = 100_000

// A fileTree is the tree of a file, made when it is asked for.
type fileTree struct {
	ids    lazy[*nodeIDs]
	fset   *token.FileSet
	file   *analysis.File
	mu     sync.Mutex
	latest *tree // guarded by mu; nil: there is none
}

// nodeIDs numbers the file's nodes.
func (f *fileTree) nodeIDs() *nodeIDs {
	return f.ids.get(func() *nodeIDs { return newNodeIDs(f.file) })
}

// tree is the file's tree, which may be another one each time.
func (f *fileTree) tree() (*tree, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.latest == nil {
		t, err := newTree(f.fset, f.nodeIDs())
		if err != nil {
			return nil, err
		}
		f.latest = t
	}
	return f.latest, nil
}

// letGo forgets the tree.
func (f *fileTree) letGo() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.latest = nil
}

// size counts the nodes of the tree, if there is one.
func (f *fileTree) size() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.latest == nil {
		return 0
	}
	return len(f.latest.nodes)
}

func newTrees(p *analysis.Program) *trees {
	return &trees{program: p, byFile: make(map[string]*fileTree), most: maxTreeNodes}
}

// of returns the tree of a module-relative file.
func (ts *trees) of(name string) (*tree, error) {
	ts.mu.Lock()
	known := ts.byFile[name]
	ts.mu.Unlock()
	if known == nil {
		f := ts.program.File(name)
		if f == nil {
			return nil, fmt.Errorf("%s is not a file of the loaded program", name)
		}
		known = ts.later(f)
	}
	ts.mu.Lock()
	if n := len(ts.recent); n == 0 || ts.recent[n-1] != known {
		ts.recent = append(slices.DeleteFunc(ts.recent, func(f *fileTree) bool { return f == known }), known)
		ts.trim()
	}
	ts.mu.Unlock()
	return known.tree()
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

// keepAll says whether all trees are kept for a while: whoever lists edits comes back to each.
func (ts *trees) keepAll(all bool) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.all = all
	ts.trim()
}

// trim lets trees go that were not asked for lately, if there are many. ts.mu is held.
func (ts *trees) trim() {
	if ts.all {
		return
	}
	nodes := 0
	for i, f := range slices.Backward(ts.recent) {
		nodes += f.size()
		if nodes <= ts.most || i == len(ts.recent)-1 {
			continue
		}
		for _, f := range ts.recent[:i+1] {
			f.letGo()
		}
		ts.recent = slices.Clone(ts.recent[i+1:])
		return
	}
}
