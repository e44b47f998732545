package mutate

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
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
	ids     map[ast.Node]int // NodeID by syntax node
	numbers map[dst.Node]int // NodeID by node of root
	nodes   []dst.Node       // of root, by NodeID
	syntax  []ast.Node       // syntax node by NodeID
	aliases map[int]aliases  // by NodeID of the declared function
	printed []byte           // root printed: the original, unless dst or gofmt would change it
}

func newTree(fset *token.FileSet, f *analysis.File) (*tree, error) {
	dec := decorator.NewDecorator(fset)
	root, err := dec.DecorateFile(f.AST)
	if err != nil {
		return nil, fmt.Errorf("decorating %s: %w", f.Rel, err)
	}
	t := &tree{file: f, root: root, ids: make(map[ast.Node]int), numbers: make(map[dst.Node]int), aliases: make(map[int]aliases)}
	for id, n := range number(root) {
		t.nodes, t.numbers[n] = append(t.nodes, n), id
		syntax := dec.Ast.Nodes[n]
		t.syntax = append(t.syntax, syntax)
		if syntax != nil {
			t.ids[syntax] = id
		}
		if fd, ok := syntax.(*ast.FuncDecl); ok {
			t.aliases[id] = findAliases(fd)
		}
	}
	if t.printed, err = printTree(root); err != nil {
		return nil, fmt.Errorf("printing %s: %w", f.Rel, err)
	}
	return t, nil
}

// exact reports whether the unedited tree prints as the original source.
func (t *tree) exact() bool { return bytes.Equal(t.printed, t.file.Source) }

// number lists the nodes of a tree in pre-order.
func number(root *dst.File) []dst.Node {
	var nodes []dst.Node
	dst.Inspect(root, func(n dst.Node) bool {
		if n != nil {
			nodes = append(nodes, n)
		}
		return true
	})
	return nodes
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
	byFile  map[string]*tree // guarded by mu; by module-relative name
}

func newTrees(p *analysis.Program) *trees {
	return &trees{program: p, byFile: make(map[string]*tree)}
}

// of returns the tree of a module-relative file.
func (ts *trees) of(name string) (*tree, error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if t := ts.byFile[name]; t != nil {
		return t, nil
	}
	f := ts.program.File(name)
	if f == nil {
		return nil, fmt.Errorf("%s is not a file of the loaded program", name)
	}
	t, err := newTree(ts.program.Fset, f)
	if err != nil {
		return nil, err
	}
	ts.byFile[name] = t
	return t, nil
}
