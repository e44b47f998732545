package analysis

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A thread is the goroutines that one statement (or call that starts
// goroutines) starts, or the goroutine that a test or main runs in.
type thread struct {
	site  token.Pos // of the start; NoPos of the main thread
	from  *function // that starts it; nil of the main thread
	roots []*function
	many  bool // several may run at the same time
	pool  bool // started by one call already
	label string
}

// An execution is what can run in one process in one go: one test (or all
// parallel tests together, or main) with all that it starts.
type execution struct {
	ids     *index
	graph   *callGraph
	threads []*thread
	in      map[*function][]int // threads that a function runs in, ascending
	order   []*function         // the functions of in, as they were found
	many    map[*function]bool  // may be called more than once
}

// executions are the ways to run a program: each of its tests by itself, the
// parallel ones together, main; of a package with neither, its exported
// functions in one goroutine. When ctx ends there are fewer.
func executions(ctx context.Context, p *Program) []*execution {
	ids, graph := p.index(), p.calls()
	always := slices.Clone(graph.initial)
	var tests, parallel, mains, exported []*function
	target := p.unit.roots()
	for _, fn := range ids.functions {
		decl, ok := fn.node.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := decl.Name.Name
		switch {
		case decl.Recv == nil && name == "init", fn.file.Test && target[fn.file.Package] && name == "TestMain":
			always = append(always, fn)
		case !target[fn.file.Package]:
		case decl.Recv == nil && fn.file.Test && isTest(name):
			if !runs(p.Target.Run, name) {
				continue
			}
			if fn.parallel() {
				parallel = append(parallel, fn)
			} else {
				tests = append(tests, fn)
			}
		case decl.Recv == nil && name == "main" && fn.file.AST.Name.Name == "main":
			mains = append(mains, fn)
		case ast.IsExported(name) && !fn.file.Test:
			exported = append(exported, fn)
		}
	}
	var out []*execution
	for _, fn := range append(tests, mains...) {
		if ctx.Err() != nil {
			return out
		}
		out = append(out, newExecution(ids, graph, fn.name, always, []*function{fn}, nil))
	}
	if len(parallel) > 0 {
		out = append(out, newExecution(ids, graph, "the tests", always, nil, parallel))
	}
	if len(out) == 0 {
		out = append(out, newExecution(ids, graph, "the exported functions", always, exported, nil))
	}
	return out
}

// roots are the target's package and its external test package.
func (u *unit) roots() map[*Package]bool {
	set := map[*Package]bool{}
	for _, n := range u.nodes {
		if n.root >= 0 {
			set[n.pkg] = true
		}
	}
	return set
}

// isTest reports whether package testing would take the function for a test, as
// far as the name goes.
func isTest(name string) bool {
	for _, prefix := range []string{"Test", "Fuzz", "Example", "Benchmark"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			r, _ := utf8.DecodeRuneInString(rest)
			return rest == "" || !unicode.IsLower(r)
		}
	}
	return false
}

// runs reports whether a -run pattern selects a test, as far as its first element goes.
func runs(pattern, name string) bool {
	if pattern == "" {
		return true
	}
	first, _, _ := strings.Cut(pattern, "/")
	re, err := regexp.Compile(first)
	return err != nil || re.MatchString(name)
}

func newExecution(ids *index, graph *callGraph, label string, always, roots, parallel []*function) *execution {
	x := &execution{ids: ids, graph: graph, in: map[*function][]int{}}
	x.threads = append(x.threads, &thread{roots: append(slices.Clone(always), roots...), label: "the goroutine of " + label})
	for _, fn := range parallel {
		x.threads = append(x.threads, &thread{site: fn.node.Pos(), roots: []*function{fn}, label: "the parallel " + fn.name})
	}
	started := map[token.Pos]*thread{}
	for i := 0; i < len(x.threads); i++ {
		for _, root := range x.threads[i].roots {
			x.visit(root, i, started)
		}
	}
	x.findMany()
	for _, t := range x.threads {
		t.many = t.pool || t.from != nil && (inLoop(t.from.body, t.site, token.NoPos) || x.many[t.from])
	}
	return x
}

// visit notes that a function, and what it calls, runs in a thread; what it
// starts becomes a new thread.
func (x *execution) visit(fn *function, id int, started map[token.Pos]*thread) {
	if slices.Contains(x.in[fn], id) {
		return
	}
	if x.in[fn] == nil {
		x.order = append(x.order, fn)
	}
	x.in[fn] = append(x.in[fn], id)
	for _, e := range x.graph.out[fn] {
		if !e.spawn {
			x.visit(e.to, id, started)
			continue
		}
		t := started[e.pos]
		if t == nil {
			t = &thread{site: e.pos, from: fn, label: fmt.Sprintf("goroutines started at %s", x.ids.position(e.start))}
			started[e.pos] = t
			x.threads = append(x.threads, t)
		}
		t.pool = t.pool || e.many
		if !slices.Contains(t.roots, e.to) {
			t.roots = append(t.roots, e.to)
			// A thread that has been examined already may have got another root.
			if i := slices.Index(x.threads, t); i <= id {
				x.visit(e.to, i, started)
			}
		}
	}
}

// findMany finds the functions that may be entered more than once: called in a
// loop, from two places, or by a function that is.
func (x *execution) findMany() {
	x.many = map[*function]bool{}
	var mark func(*function)
	mark = func(fn *function) {
		if x.many[fn] {
			return
		}
		x.many[fn] = true
		for _, e := range x.graph.out[fn] {
			mark(e.to)
		}
	}
	for _, fn := range x.order {
		sites := map[token.Pos]bool{}
		for _, e := range x.graph.in[fn] {
			if x.in[e.from] == nil {
				continue
			}
			sites[e.pos] = true
			if e.looped || e.many {
				mark(fn)
			}
		}
		for _, t := range x.threads {
			if t.from == nil && slices.Contains(t.roots, fn) {
				sites[token.NoPos] = true
			}
		}
		if len(sites) > 1 {
			mark(fn)
		}
	}
}

func (x *execution) runsIn(fn *function, t *thread) bool {
	return slices.ContainsFunc(x.in[fn], func(i int) bool { return x.threads[i] == t })
}

// closure are the functions that run because a function does, itself included,
// in whatever goroutine.
func (x *execution) closure(fn *function) map[*function]bool {
	set := map[*function]bool{fn: true}
	work := []*function{fn}
	for len(work) > 0 {
		next := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range x.graph.out[next] {
			if !set[e.to] {
				set[e.to] = true
				work = append(work, e.to)
			}
		}
	}
	return set
}

// concurrent reports whether a function runs in more than one goroutine, and in which.
func (x *execution) concurrent(fn *function) (labels []string, ok bool) {
	n := 0
	for _, i := range x.in[fn] {
		t := x.threads[i]
		n++
		if t.many {
			n++
			labels = append(labels, "several "+t.label)
		} else {
			labels = append(labels, t.label)
		}
	}
	return labels, n > 1
}

// perIteration reports whether the variables of a file's three-clause loops are
// new in each iteration (since Go 1.22).
func perIteration(f *File) bool {
	v := f.Package.Info.FileVersions[f.AST]
	return v == "" || !versionBefore(v, 22)
}

func versionBefore(v string, minor int) bool {
	var major, have int
	if _, err := fmt.Sscanf(v, "go%d.%d", &major, &have); err != nil {
		return false
	}
	return major == 1 && have < minor
}

// isLocal reports whether a variable is declared in a function.
func isLocal(v *types.Var) bool {
	return !v.IsField() && v.Pkg() != nil && v.Parent() != v.Pkg().Scope()
}
