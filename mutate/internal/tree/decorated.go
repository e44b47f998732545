package tree

import (
	"bytes"
	"fmt"
	"go/format"
	"go/token"
	"sync"

	"github.com/dave/dst"
	"github.com/dave/dst/decorator"
)

// A decorated is the decorated syntax tree of one original file. It is never
// changed; mutants work on clones, whose walk gives the same numbers.
//
// A sketch is a tree of which there is only what edits ask for: its root has empty
// declarations in the places of the original's, and a clone of one is made of the syntax,
// without the comments. It takes little memory, and shows what can be edited, but cannot
// be printed.
type decorated struct {
	*Original
	root   *dst.File
	nodes  []dst.Node             // of root, by NodeID; nil in a sketch
	byNode nodeIndex              // of nodes; in a sketch, of the root's declarations
	print  func() ([]byte, error) // the root as it prints: the original, unless dst or gofmt would change it
}

// decorate makes the tree of a file.
func decorate(fset *token.FileSet, o *Original) (*decorated, error) {
	dec := decorator.NewDecorator(fset)
	root, err := dec.DecorateFile(o.File.AST)
	if err != nil {
		return nil, fmt.Errorf("decorating %s: %w", o.File.Rel, err)
	}
	d := &decorated{Original: o, root: root, nodes: list(root, len(o.syntax))}
	for id, n := range d.nodes {
		if id >= len(o.syntax) || dec.Ast.Nodes[n] != o.syntax[id] {
			return nil, fmt.Errorf("decorating %s: node %d is another one", o.File.Rel, id)
		}
	}
	d.byNode = newNodeIndex(d.nodes)
	d.print = sync.OnceValues(func() ([]byte, error) {
		source, err := printTree(root)
		if err != nil {
			return nil, fmt.Errorf("printing %s: %w", o.File.Rel, err)
		}
		return source, nil
	})
	return d, nil
}

// sketch makes a sketch of a file.
func sketch(o *Original) *decorated {
	root := &dst.File{Name: dst.NewIdent(o.File.AST.Name.Name)}
	for range o.decls {
		root.Decls = append(root.Decls, &dst.BadDecl{})
	}
	return &decorated{Original: o, root: root, byNode: newNodeIndex(root.Decls)}
}

// sketched reports whether the tree is a sketch.
func (d *decorated) sketched() bool { return d.nodes == nil }

// clone copies a declaration, and lists the nodes of the copy by NodeID.
func (d *decorated) clone(decl int) (dst.Decl, []dst.Node) {
	first, end := d.declRange(decl)
	if !d.sketched() {
		clone := dst.Clone(d.root.Decls[decl]).(dst.Decl)
		return clone, list(clone, end-first)
	}
	made := undecorated(d.syntax[first]).(dst.Decl)
	nodes := list(made, end-first)
	if len(nodes) != end-first {
		panic(fmt.Sprintf("tree: a sketch of %s has %d nodes where there are %d", d.File.Rel, len(nodes), end-first))
	}
	return made, nodes
}

// number is the NodeID of a node of root; in a sketch, of a declaration.
func (d *decorated) number(n dst.Node) (id int, ok bool) {
	if !d.sketched() {
		return indexOf(d.byNode, d.nodes, n)
	}
	decl, ok := n.(dst.Decl)
	if !ok {
		return 0, false
	}
	if id, ok = indexOf(d.byNode, d.root.Decls, decl); ok {
		id = d.decls[id]
	}
	return id, ok
}

// list lists the nodes of a tree, about so many, in pre-order.
func list(root dst.Node, about int) []dst.Node {
	nodes := make([]dst.Node, 0, about)
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
