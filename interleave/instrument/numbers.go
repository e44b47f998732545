package instrument

import (
	"fmt"
	"go/ast"
	"sync"
)

// Numbers gives numbers to the sites of programs that have most declarations in common, so that
// several fit into one executable. The zero value is ready; it is safe for concurrent use.
type Numbers struct {
	mu    sync.Mutex // held while a program is rewritten, so that the numbers of a declaration follow each other
	known map[string]int
	last  int
}

// of is the number of a site of a declaration, the n-th in it.
func (n *Numbers) of(declaration string, nth int) int {
	if n.known == nil {
		n.known = map[string]int{}
	}
	key := fmt.Sprintf("%d %s", nth, declaration)
	if n.known[key] == 0 {
		n.last++
		n.known[key] = n.last
	}
	return n.known[key]
}

// enter begins a declaration. Those of the same text in a file are told apart by their order.
func (r *rewriter) enter(d ast.Decl) {
	start := r.file.AST.FileStart
	text := fmt.Sprintf("%s\n%s", r.file.Name, r.file.Source[d.Pos()-start:d.End()-start])
	r.sites, r.declaration = 0, fmt.Sprintf("%d %s", r.entered[text], text)
	r.entered[text]++
}
