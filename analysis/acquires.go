package analysis

import (
	"go/ast"
	"maps"
	"slices"
)

// Acquires lists the keys of the locks that a call may acquire in its callee,
// transitively, sorted. Calls on locks themselves are not counted, nor is what
// the callee starts in other goroutines.
//
// Callees are found in the call graph; a function value or interface is
// resolved to what it may hold there. The list is remembered and must not be changed.
func (p *Program) Acquires(f *File, call *ast.CallExpr) []string {
	keys, known := p.acquired.Load(call)
	if !known {
		keys, _ = p.acquired.LoadOrStore(call, p.findAcquires(f, call))
	}
	return keys.([]string)
}

func (p *Program) findAcquires(f *File, call *ast.CallExpr) []string {
	if _, _, isLock := p.LockOf(f, call); isLock {
		return nil
	}
	callees := p.callees(call)
	if len(callees) == 1 {
		return p.acquiredIn(callees[0])
	}
	var keys []string
	for _, fn := range callees {
		keys = append(keys, p.acquiredIn(fn)...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// acquiredIn is Acquires for all calls that run one function. The list must not be changed.
func (p *Program) acquiredIn(fn *function) []string {
	known, ok := p.acquired.Load(fn)
	if !ok {
		known, _ = p.acquired.LoadOrStore(fn, p.findAcquiredIn(fn))
	}
	return known.([]string)
}

func (p *Program) findAcquiredIn(fn *function) []string {
	graph := p.calls()
	keys := map[string]bool{}
	seen := map[*function]bool{}
	work := []*function{fn}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[fn] {
			continue
		}
		seen[fn] = true
		for _, u := range fn.locks {
			if u.acquires() {
				keys[u.lock.Key] = true
			}
		}
		for _, e := range graph.out[fn] {
			if !e.spawn {
				work = append(work, e.to)
			}
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

// Callees lists the declarations and literals of the module that a call may run
// in its own goroutine, in source order. A function value or interface is
// resolved to what it may hold there.
func (p *Program) Callees(call *ast.CallExpr) []ast.Node {
	var nodes []ast.Node
	for _, fn := range p.callees(call) {
		nodes = append(nodes, fn.node)
	}
	return nodes
}

// callees are the module's functions that a call may run in the caller's goroutine.
func (p *Program) callees(call *ast.CallExpr) []*function {
	var found []*function
	graph := p.calls()
	for _, fn := range graph.bySite[call.Lparen] {
		for _, e := range graph.in[fn] {
			if e.pos == call.Lparen && !e.spawn {
				found = append(found, fn)
				break
			}
		}
	}
	return found
}
