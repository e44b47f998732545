package analysis

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// A callGraph says which of the module's functions call or start which.
//
// Static calls are taken from the types; calls through interfaces and function
// values are resolved by variable type analysis (Sundaresan et al., "Practical
// Virtual Method Call Resolution for Java", OOPSLA 2000) over the SSA form of
// the module. Code outside the module has no bodies here: a function handed to
// it is taken to be called by whoever handed it over, or in a goroutine of its
// own where the callee is known to start one (spawn.go).
type callGraph struct {
	out     map[*function][]edge
	in      map[*function][]edge
	initial []*function // called by package initialisation
	bySite  map[token.Pos][]*function
}

// An edge is one way for a function to run another.
type edge struct {
	from, to *function
	pos      token.Pos // of the call's left parenthesis, or of the statement
	start    token.Pos // where the statement begins that starts a goroutine
	spawn    bool      // in another goroutine
	many     bool      // by one call more than once at the same time, as a server does
	looped   bool      // the call is in a loop
	subtest  bool      // by t.Run: one after the other, even in a loop
}

func newCallGraph(p *Program) *callGraph {
	b := &graphBuilder{
		ids:   p.index(),
		p:     p,
		graph: &callGraph{out: map[*function][]edge{}, in: map[*function][]edge{}, bySite: map[token.Pos][]*function{}},
		seen:  map[edge]bool{},
	}
	b.prog = b.buildSSA()
	funcs := ssautil.AllFunctions(b.prog)
	b.cg = vta.CallGraph(funcs, vta.CallGraph(funcs, nil))
	b.addressTaken(funcs)
	for fn := range funcs {
		b.function(fn)
	}
	b.uninstantiated(funcs)
	b.graph.sort(b.ids)
	return b.graph
}

type graphBuilder struct {
	p     *Program
	ids   *index
	prog  *ssa.Program
	cg    *callgraph.Graph
	graph *callGraph
	seen  map[edge]bool
	taken []*ssa.Function // functions of the module that are used as values
}

// buildSSA builds the module's packages; of all others there are declarations only.
func (b *graphBuilder) buildSSA() *ssa.Program {
	prog := ssa.NewProgram(b.p.Fset, ssa.InstantiateGenerics)
	created := map[*types.Package]bool{}
	var create func(pkgs []*types.Package)
	create = func(pkgs []*types.Package) {
		for _, pkg := range pkgs {
			if created[pkg] {
				continue
			}
			created[pkg] = true
			if own := b.p.owned[pkg]; own != nil {
				prog.CreatePackage(pkg, own.trees(), own.Info, true)
			} else {
				prog.CreatePackage(pkg, nil, nil, true)
			}
			create(pkg.Imports())
		}
	}
	for _, pkg := range b.p.Packages {
		create([]*types.Package{pkg.Types})
	}
	prog.Build()
	return prog
}

// trees are the syntax trees of all files of the package, generated ones by cgo included.
func (pkg *Package) trees() []*ast.File {
	var trees []*ast.File
	for _, f := range pkg.Files {
		trees = append(trees, f.AST)
	}
	return append(trees, pkg.hidden...)
}

// source is the module's function that an SSA function is the code of: of a
// literal that a loop over a function makes of its body, the function around it.
func (b *graphBuilder) source(fn *ssa.Function) *function {
	for ; fn != nil; fn = fn.Parent() {
		if src := b.ids.byNode[fn.Syntax()]; src != nil {
			return src
		}
		if _, ok := fn.Syntax().(*ast.RangeStmt); !ok {
			return nil
		}
	}
	return nil
}

// reached are the module's functions behind a callee: itself or, of a wrapper
// that the SSA builder made, what it wraps.
func (b *graphBuilder) reached(fn *ssa.Function, visit func(*function)) {
	seen := map[*ssa.Function]bool{}
	var follow func(*ssa.Function)
	follow = func(fn *ssa.Function) {
		if seen[fn] {
			return
		}
		seen[fn] = true
		if src := b.source(fn); src != nil {
			visit(src)
			return
		}
		if node := b.cg.Nodes[fn]; node != nil && fn.Synthetic != "" {
			for _, e := range node.Out {
				follow(e.Callee.Func)
			}
		}
	}
	follow(fn)
}

// function adds the edges out of one SSA function.
func (b *graphBuilder) function(fn *ssa.Function) {
	from := b.source(fn)
	initial := fn.Pkg != nil && fn.Pkg.Func("init") == fn && b.p.owned[fn.Pkg.Pkg] != nil
	if from == nil && !initial {
		return
	}
	if node := b.cg.Nodes[fn]; node != nil {
		for _, e := range node.Out {
			_, spawn := e.Site.(*ssa.Go)
			b.reached(e.Callee.Func, func(to *function) {
				b.add(edge{from: from, to: to, pos: sitePos(e.Site), start: startPos(e.Site), spawn: spawn})
			})
		}
	}
	for _, block := range fn.Blocks {
		for _, instr := range block.Instrs {
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				b.foreign(from, instr)
			case *ssa.Store:
				b.handler(from, instr)
			}
		}
	}
}

func sitePos(site ssa.CallInstruction) token.Pos {
	if site == nil {
		return token.NoPos
	}
	if pos := site.Common().Pos(); pos.IsValid() {
		return pos
	}
	return site.Pos()
}

// startPos is where a go statement begins; of a call its parenthesis.
func startPos(site ssa.CallInstruction) token.Pos {
	if _, ok := site.(*ssa.Go); ok {
		return site.Pos()
	}
	return sitePos(site)
}

func (b *graphBuilder) add(e edge) {
	if e.from == nil {
		if !e.spawn && !slices.Contains(b.graph.initial, e.to) {
			b.graph.initial = append(b.graph.initial, e.to)
		}
		return
	}
	e.looped = !e.subtest && inLoop(e.from.body, e.pos, token.NoPos)
	if b.seen[e] {
		return
	}
	b.seen[e] = true
	b.graph.out[e.from] = append(b.graph.out[e.from], e)
	b.graph.in[e.to] = append(b.graph.in[e.to], e)
	if !slices.Contains(b.graph.bySite[e.pos], e.to) {
		b.graph.bySite[e.pos] = append(b.graph.bySite[e.pos], e.to)
	}
}

// addressTaken collects the functions that may be called through a value.
func (b *graphBuilder) addressTaken(funcs map[*ssa.Function]bool) {
	taken := map[*ssa.Function]bool{}
	for fn := range funcs {
		for _, block := range fn.Blocks {
			for _, instr := range block.Instrs {
				var callee ssa.Value
				if call, ok := instr.(ssa.CallInstruction); ok {
					callee = call.Common().Value
				}
				for _, op := range instr.Operands(nil) {
					if f, ok := (*op).(*ssa.Function); ok && ssa.Value(f) != callee {
						taken[f] = true
					}
				}
			}
		}
	}
	for fn := range taken {
		b.taken = append(b.taken, fn)
	}
}

// sort puts edges into source order, so that nothing depends on the order of maps.
func (g *callGraph) sort(ids *index) {
	order := map[*function]int{}
	for i, fn := range ids.functions {
		order[fn] = i
	}
	byOrder := func(a, b edge) int {
		return cmp.Or(cmp.Compare(order[a.from], order[b.from]), cmp.Compare(a.pos, b.pos),
			cmp.Compare(order[a.to], order[b.to]), cmp.Compare(boolToInt(a.spawn), boolToInt(b.spawn)))
	}
	for _, edges := range g.out {
		slices.SortFunc(edges, byOrder)
	}
	for _, edges := range g.in {
		slices.SortFunc(edges, byOrder)
	}
	byFunction := func(a, b *function) int { return cmp.Compare(order[a], order[b]) }
	for _, fns := range g.bySite {
		slices.SortFunc(fns, byFunction)
	}
	slices.SortFunc(g.initial, byFunction)
}

// inLoop reports whether a position of a function's body is in a loop that does
// not contain the position beyond as well (NoPos: in any loop).
func inLoop(body *ast.BlockStmt, pos, beyond token.Pos) bool {
	if body == nil || !pos.IsValid() {
		return false
	}
	contains := func(n ast.Node, p token.Pos) bool { return n != nil && n.Pos() <= p && p < n.End() }
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || !contains(n, pos) || found {
			return false
		}
		switch n := n.(type) {
		case *ast.ForStmt:
			repeated := contains(n.Body, pos) || n.Post != nil && contains(n.Post, pos) || n.Cond != nil && contains(n.Cond, pos)
			found = repeated && !contains(n, beyond)
		case *ast.RangeStmt:
			found = contains(n.Body, pos) && !contains(n, beyond)
		}
		return true
	})
	return found
}
