package mutate

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/dave/dst"
)

// acquirers knows which functions acquire which locks in a mutation, where that
// differs from the original. They are followed over calls by name; for calls
// that are not, the original's call graph is all there is.
type acquirers struct {
	m       *Mutation
	keys    []string        // of the inserted acquisitions, sorted
	removed map[string]bool // keys that lost an acquisition
	byKey   map[string]functionSet
	methods map[string]map[string]bool // names of the methods among these
}

func newAcquirers(m *Mutation) *acquirers {
	aq := &acquirers{m: m, removed: make(map[string]bool), byKey: make(map[string]functionSet), methods: make(map[string]map[string]bool)}
	keys := make(map[string]bool)
	for _, f := range m.files {
		left := make(map[int]bool)
		for _, d := range f.root.Decls {
			if !f.touched(d) {
				continue
			}
			dst.Inspect(d, func(n dst.Node) bool {
				if call, ok := n.(*dst.CallExpr); ok {
					if c, ok := m.acquires[call]; ok && c.acquires() {
						keys[c.lock.Key] = true
					}
					if id, ok := f.ids.of(call); ok {
						left[id] = true
					}
				}
				return true
			})
		}
		calls := m.space.facts.lockCalls(m.space.program, f.tree.nodeIDs)
		for decl := range f.clones {
			for _, id := range calls.within(f.tree.declRange(decl)) {
				if c := calls.byID[id]; c.acquires() && !left[id] {
					aq.removed[c.lock.Key] = true
				}
			}
		}
	}
	aq.keys = slices.Sorted(maps.Keys(keys))
	return aq
}

func (c insertedCall) acquires() bool { return c.method == "Lock" || c.method == "RLock" }

// inserted lists the keys of the inserted acquisitions that a call of f comes to.
func (aq *acquirers) inserted(f *types.Func) []string {
	if aq == nil {
		return nil
	}
	var keys []string
	for _, key := range aq.keys {
		if aq.of(key).has(f) {
			keys = append(keys, key)
		}
	}
	return keys
}

// mayCome reports whether a call that does not name its callee may come to an
// acquisition of a key: one of an interface's method comes to methods of its name.
func (aq *acquirers) mayCome(key string, method *types.Func) bool {
	if method == nil {
		return true
	}
	if aq.methods[key] == nil {
		names := make(map[string]bool)
		for f := range aq.of(key).all() {
			if f.Signature().Recv() != nil {
				names[f.Name()] = true
			}
		}
		aq.methods[key] = names
	}
	return aq.methods[key][method.Name()]
}

// of finds the functions that acquire a lock of a key, themselves or in
// functions that they call by name: those of the files touched and, where the
// original's call graph cannot be trusted any more, of all others.
func (aq *acquirers) of(key string) functionSet {
	if found, known := aq.byKey[key]; known {
		return found
	}
	s := aq.m.space
	var direct []*types.Func
	for _, name := range slices.Sorted(maps.Keys(aq.m.files)) {
		direct = append(direct, aq.touched(aq.m.files[name], key)...)
	}
	for _, name := range s.fileNames {
		if !aq.removed[key] || aq.m.files[name] != nil || !s.locks(name) {
			continue
		}
		for _, to := range s.facts.takers(s, s.trees.later(s.program.File(name)).nodeIDs())[key] {
			direct = append(direct, to.function)
		}
	}
	found := s.index.above.callersOf(direct...)
	aq.byKey[key] = found
	return found
}

// touched are the functions in an edited file that acquire a lock of a key themselves.
func (aq *acquirers) touched(f *editedFile, key string) []*types.Func {
	var direct []*types.Func
	v := aq.m.view(f, aq)
	for _, d := range v.decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || !v.taken(fd)[key] {
			continue
		}
		if decl, ok := v.syntax(fd).(*ast.FuncDecl); ok {
			obj, _ := f.tree.file.Package.Info.Defs[decl.Name].(*types.Func)
			direct = append(direct, obj)
		}
	}
	for _, to := range aq.m.space.facts.takers(aq.m.space, f.tree.nodeIDs)[key] {
		if f.clones[to.decl] == nil {
			direct = append(direct, to.function)
		}
	}
	return direct
}

// A taker is a function of the original that has an acquisition of a lock in its
// text, outside of go statements.
type taker struct {
	decl     int // index in the tree's declarations
	function *types.Func
}

// takers are the functions of an original file that acquire locks, by their keys.
func (fs *facts) takers(s *Space, t *nodeIDs) map[string][]taker {
	fs.mu.Lock()
	found := fs.taking[t]
	fs.mu.Unlock()
	if found != nil {
		return found
	}
	found = make(map[string][]taker)
	v := s.originalView(t)
	for i, d := range v.decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		obj, _ := t.file.Package.Info.Defs[fd.Name].(*types.Func)
		to := taker{i, obj}
		for key := range v.taken(fd) {
			found[key] = append(found[key], to)
		}
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.taking == nil {
		fs.taking = make(map[*nodeIDs]map[string][]taker)
	}
	fs.taking[t] = found
	return found
}

// taken are the keys of the locks that a function acquires in its text, outside
// of go statements.
func (v *view) taken(fd *ast.FuncDecl) map[string]bool {
	keys := make(map[string]bool)
	ast.Inspect(fd, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			return false
		case *ast.CallExpr:
			if c, ok := v.lockCall(n); ok && c.acquires() {
				keys[c.lock.Key] = true
			}
		}
		return true
	})
	return keys
}
