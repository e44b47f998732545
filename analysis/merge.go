package analysis

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/analysis/evidence/symbol"
)

// Merge adds what failures name and returns how many findings are new: the
// functions on their stacks, the variables used on the lines they name
// innermost, the types that these are fields of. Frames outside of the module,
// or at lines that its files do not have, are passed over.
//
// A race adds the variables that both of its accesses use, if there are such.
// A test's own complaint adds no variables: what a test compares is seldom
// what went wrong.
func (n *Narrowing) Merge(source Source, failures ...evidence.Failure) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	added := 0
	for _, f := range failures {
		if f.Kind == evidence.Race {
			n.races.add(f, n.p.stackSites(f))
		}
		added += n.mergeOne(source, f)
	}
	return added
}

// Races reports whether a race is known to be about a variable, and whether
// that is known of any: both lines that a race report names use it, and change it where the
// report has a write. Where no variable is on both, as with a list that was handed on, it is
// any of them.
func (n *Narrowing) Races(v *types.Var) (races, known bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.raced[v], len(n.raced) > 0
}

// Learn is Merge for a failure of a mutant. Its races are none of the original,
// so that [Narrowing.Reach] does not count them.
func (n *Narrowing) Learn(source Source, f evidence.Failure) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.mergeOne(source, f)
}

// stackSites are the sites of the stacks of a failure.
func (p *Program) stackSites(f evidence.Failure) (stacks [][]site) {
	for _, stack := range f.Stacks {
		stacks = append(stacks, p.sites(stack.Frames))
	}
	return stacks
}

func (n *Narrowing) mergeOne(source Source, f evidence.Failure) int {
	added := 0
	waits := slices.ContainsFunc(f.Stacks, waitsForLock)
	var inner []*function
	var used [][]*types.Var
	var stacks [][]site
	for _, stack := range f.Stacks {
		sites := n.p.sites(stack.Frames)
		scale := scaleOf(f, stack, waits)
		lock := n.usesLock(f, stack, sites)
		if lock {
			scale = coldLock
		}
		n.heat.stack(sites, scale)
		for _, s := range n.p.sites(stack.Created) {
			n.heat.warm(s.file, s.line, heatOuter*scale)
			n.heat.warmFunction(s.fn, heatCallerFunc*scale)
			added += n.addFunc(s.fn, because(source, f, s, "starts a goroutine"))
		}
		for i, s := range sites {
			role := "on the stack of"
			if i == 0 {
				role = stack.Role + " in"
			}
			added += n.addFunc(s.fn, because(source, f, s, role))
		}
		if len(sites) == 0 {
			continue
		}
		if what, blocked := strings.CutPrefix(stack.Role, "blocked: "); blocked {
			n.waits[wait{sites[0].file, sites[0].line}] = what
		}
		if strings.HasPrefix(stack.Role, "blocked") || f.Kind == evidence.Deadlock || f.Kind == evidence.Timeout {
			n.heat.locks(sites, scale)
			added += n.addLockOwners(source, f, sites[0])
		}
		inner = append(inner, sites[0].fn)
		if !lock {
			used = append(used, n.usedAt(sites[0], f.Kind == evidence.Race && strings.Contains(stack.Role, "write")))
		}
		stacks = append(stacks, sites)
		if f.Kind == evidence.Race {
			added += n.mergeInlined(source, f, sites[0], scale)
		}
	}
	if f.Kind == evidence.Race {
		added += n.mergeOwners(source, f, stacks)
	}
	return added + n.mergeVariables(source, f, inner, used)
}

// mergeInlined adds the functions called on a racing line that return structs,
// and the variables of that sort which they use: where such a call is inlined,
// what it copies out of shared memory is put down to the caller's line.
func (n *Narrowing) mergeInlined(source Source, f evidence.Failure, s site, scale float64) int {
	if s.fn.body == nil {
		return 0
	}
	added := 0
	ast.Inspect(s.fn.body, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || n.p.Fset.Position(call.Pos()).Line != s.line || !returnsStruct(s.file.Package.Info.TypeOf(call)) {
			return true
		}
		for _, callee := range n.p.callees(call) {
			n.heat.warmFunction(callee, heatSame*scale)
			added += n.addFunc(callee, because(source, f, s, "called in"))
			for _, a := range callee.uses {
				if n.known(a, callee) && returnsStruct(a.Var.Type()) {
					added += n.addVar(a.Var, Reason{source, fmt.Sprintf("may be copied where a failure points: %s", f.Message)})
				}
			}
		}
		return true
	})
	return added
}

// returnsStruct reports whether a type is a struct or array, or a call of it has one among its results.
func returnsStruct(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	case *types.Tuple:
		for v := range u.Variables() {
			if returnsStruct(v.Type()) {
				return true
			}
		}
	}
	return false
}

// mergeVariables adds and warms the variables that the failure is about.
func (n *Narrowing) mergeVariables(source Source, f evidence.Failure, inner []*function, used [][]*types.Var) int {
	if f.Kind == evidence.TestFailure || len(used) == 0 {
		return 0
	}
	var vars []*types.Var
	if f.Kind == evidence.Race {
		vars = slices.Clone(used[0])
		for _, other := range used[1:] {
			vars = slices.DeleteFunc(vars, func(v *types.Var) bool { return !slices.Contains(other, v) })
		}
	}
	if len(vars) == 0 { // of a race: its memory has a name on each line
		for _, vs := range used {
			vars = append(vars, vs...)
		}
	}
	if f.Kind == evidence.Race {
		for _, v := range vars {
			n.raced[v] = true
		}
	}
	added := 0
	for _, v := range vars {
		added += n.addVar(v, Reason{source, fmt.Sprintf("used where a failure points: %s", f.Message)})
	}
	n.heat.variables(vars, inner, scaleOf(f, evidence.Stack{}, false))
	return added
}

// addLockOwners adds the types whose locks are used on the line that a
// goroutine is blocked at.
func (n *Narrowing) addLockOwners(source Source, f evidence.Failure, s site) int {
	added := 0
	for _, u := range s.fn.locks {
		if owner := n.ids.owner[u.field]; owner != nil && n.p.Fset.Position(u.call.Pos()).Line == s.line {
			added += n.addType(owner, because(source, f, s, "its lock "+u.field.Name()+" is waited for in"))
		}
	}
	return added
}

// Waits is what a failure says a goroutine is blocked at on a line: "chan send",
// "chan receive", "select", "sync.Mutex.Lock", "sync.WaitGroup.Wait" and the
// like, as in a goroutine dump; "" if none is. The file is named absolutely or
// relative to the module.
func (n *Narrowing) Waits(file string, line int) string {
	f := n.p.File(file)
	if f == nil {
		return ""
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.waits[wait{f, line}]
}

func because(source Source, f evidence.Failure, s site, role string) Reason {
	return Reason{source, fmt.Sprintf("%s: %s %s (%s:%d)", f.Kind, role, s.fn.name, s.file.Rel, s.line)}
}

// waitsForLock reports whether a stack is that of a goroutine blocked at a mutex.
func waitsForLock(s evidence.Stack) bool {
	return strings.HasPrefix(s.Role, "blocked") && (strings.Contains(s.Role, "Mutex") || strings.Contains(s.Role, "semacquire"))
}

// scaleOf is how much of the full heat a stack deserves.
func scaleOf(f evidence.Failure, s evidence.Stack, waits bool) float64 {
	switch {
	case f.Kind == evidence.TestFailure:
		return coldTest
	case waits && !waitsForLock(s):
		return coldWait
	}
	return 1
}

// usesLock reports whether a stack is that of a lock's own access to its memory, while
// another goroutine copies the value that the lock is in: what else stands on the line has
// nothing to do with the race. Frames of package sync may be missing, and so may that of a
// method which releases the lock as it returns.
func (n *Narrowing) usesLock(f evidence.Failure, s evidence.Stack, sites []site) bool {
	if f.Kind != evidence.Race || len(s.Frames) == 0 || len(sites) == 0 {
		return false
	}
	switch symbol.PackageOf(s.Frames[0].Func) {
	case "sync", "internal/sync":
		return true
	case "sync/atomic":
		return !n.callsAtomic(sites[0])
	}
	return false
}

// callsAtomic reports whether a function of package sync/atomic is named on a site's line.
func (n *Narrowing) callsAtomic(s site) (found bool) {
	if s.fn.body == nil {
		return true
	}
	ast.Inspect(s.fn.body, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok && n.p.Fset.Position(id.Pos()).Line == s.line {
			fn, ok := s.file.Package.Info.Uses[id].(*types.Func)
			found = found || ok && fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic"
		}
		return !found
	})
	return found
}

// sites finds the frames that lie in the module.
func (p *Program) sites(frames []evidence.Frame) []site {
	var found []site
	for _, frame := range frames {
		if s, ok := p.wrapped(frame); ok {
			found = append(found, s)
			continue
		}
		file := p.matching(frame)
		if file == nil || frame.Line < 1 || frame.Line > p.Fset.File(file.AST.FileStart).LineCount() {
			continue
		}
		if fn := p.functionAt(file, frame); fn != nil {
			found = append(found, site{file: file, line: frame.Line, fn: fn})
		}
	}
	return found
}

// wrapped is the method that a frame stands for which the compiler has made: to
// call a method with a value for a receiver through a pointer it copies the value
// first, in "<autogenerated>" code. What happens there is about the declaration.
func (p *Program) wrapped(frame evidence.Frame) (site, bool) {
	if filepath.Base(frame.File) != "<autogenerated>" {
		return site{}, false
	}
	name := strings.NewReplacer("(*", "", ")", "").Replace(withoutTypes(evidence.ShortFunc(frame.Func)))
	for _, fn := range p.index().functions {
		decl, ok := fn.node.(*ast.FuncDecl)
		if ok && fn.name == name && importPath(fn.file.Package) == ImportPath(frame) {
			return site{file: fn.file, line: p.Fset.Position(decl.Pos()).Line, fn: fn}, true
		}
	}
	return site{}, false
}

// functionAt is the function that a frame is in: of those around its line the
// one it names, or else the innermost.
func (p *Program) functionAt(file *File, frame evidence.Frame) *function {
	var innermost, named *function
	for _, fn := range p.index().byFile[file] {
		first, last := p.Fset.Position(fn.node.Pos()).Line, p.Fset.Position(fn.node.End()).Line
		if frame.Line < first || last < frame.Line {
			continue
		}
		if strings.HasSuffix(frame.Func, "."+fn.name) {
			named = fn
		}
		if innermost == nil || fn.node.End()-fn.node.Pos() <= innermost.node.End()-innermost.node.Pos() {
			innermost = fn
		}
	}
	if named != nil {
		return named
	}
	return innermost
}

// usedAt lists the variables used on a site's line or, if the line has no use
// of any, in the statements that cover it. Locals that only their own function
// knows are left out, and those that are only read there if it is a write that counts.
func (n *Narrowing) usedAt(s site, writes bool) []*types.Var {
	var onLine []Access
	for _, a := range s.fn.uses {
		if n.p.Fset.Position(a.Expr.Pos()).Line == s.line {
			onLine = append(onLine, a)
		}
	}
	if len(onLine) == 0 {
		for _, stmt := range s.statements(n.p.Fset) {
			onLine = append(onLine, n.p.accesses(s.file.Package.Info, stmt)...)
		}
	}
	if writes && slices.ContainsFunc(onLine, func(a Access) bool { return a.Write }) {
		onLine = slices.DeleteFunc(onLine, func(a Access) bool { return !a.Write })
	}
	var vars []*types.Var
	for _, a := range onLine {
		if !slices.Contains(vars, a.Var) && n.known(a, s.fn) {
			vars = append(vars, a.Var)
		}
	}
	return vars
}

// known reports whether a variable, or what it leads to, may be known outside of a function.
func (n *Narrowing) known(a Access, fn *function) bool {
	if !isLocal(a.Var) || a.elem {
		return true
	}
	return n.ids.captured(a.Var) || n.addressTaken(a.Var, fn)
}

// addressTaken reports whether a function takes the address of a variable of its own.
func (n *Narrowing) addressTaken(v *types.Var, fn *function) bool {
	info := fn.file.Package.Info
	taken := false
	ast.Inspect(fn.body, func(node ast.Node) bool {
		if u, ok := node.(*ast.UnaryExpr); ok {
			if id, isName := ast.Unparen(u.X).(*ast.Ident); isName && u.Op.String() == "&" && info.Uses[id] == v {
				taken = true
			}
		}
		return !taken
	})
	return taken
}
