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
	byKey   map[string]map[*types.Func]bool
	methods map[string]map[string]bool // names of the methods among these
}

func newAcquirers(m *Mutation) *acquirers {
	aq := &acquirers{m: m, removed: make(map[string]bool), byKey: make(map[string]map[*types.Func]bool), methods: make(map[string]map[string]bool)}
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
		for id, c := range m.space.facts.lockCalls(m.space.program, f.tree) {
			if c.acquires() && !left[id] && f.clones[f.tree.declOf(id)] != nil {
				aq.removed[c.lock.Key] = true
			}
		}
	}
	aq.keys = slices.Sorted(maps.Keys(keys))
	return aq
}

func (c insertedCall) acquires() bool { return c.method == "Lock" || c.method == "RLock" }

// includes reports whether a call of f, which acquires originally in the original,
// acquires a lock of a key.
func (aq *acquirers) includes(key string, f *types.Func, originally []string) bool {
	if aq == nil {
		return slices.Contains(originally, key)
	}
	if aq.of(key)[f] {
		return true
	}
	// What was removed may have been all there was.
	return slices.Contains(originally, key) && !aq.removed[key]
}

// inserted lists the keys of the inserted acquisitions that a call of f comes to.
func (aq *acquirers) inserted(f *types.Func) []string {
	if aq == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(aq.keys), func(key string) bool { return !aq.of(key)[f] })
}

// changes reports whether what was found in a declaration of the original may be
// otherwise now: it calls, with a lock held, what comes to an inserted acquisition.
func (aq *acquirers) changes(d declWalk) bool {
	if aq == nil || len(aq.keys) == 0 || len(d.calls) == 0 {
		return false
	}
	if len(aq.removed) > 0 {
		return true
	}
	for c := range d.calls {
		for _, key := range aq.keys {
			if aq.of(key)[c.function] || c.indirect && aq.mayCome(key, c.function) {
				return true
			}
		}
	}
	return false
}

// mayCome reports whether a call that does not name its callee may come to an
// acquisition of a key: one of an interface's method comes to methods of its name.
func (aq *acquirers) mayCome(key string, method *types.Func) bool {
	if method == nil {
		return true
	}
	if aq.methods[key] == nil {
		names := make(map[string]bool)
		for f := range aq.of(key) {
			if f.Signature().Recv() != nil {
				names[f.Name()] = true
			}
		}
		aq.methods[key] = names
	}
	return aq.methods[key][method.Name()]
}

// of finds the functions that acquire a lock of a key, themselves or in
// functions that they call by name.
func (aq *acquirers) of(key string) map[*types.Func]bool {
	if found := aq.byKey[key]; found != nil {
		return found
	}
	var direct []*types.Func
	for _, v := range aq.views(key) {
		for _, d := range v.root.Decls {
			fd, ok := d.(*dst.FuncDecl)
			if !ok || !v.takes(fd, key) {
				continue
			}
			if decl, ok := v.syntax(fd).(*ast.FuncDecl); ok {
				obj, _ := v.tree.file.Package.Info.Defs[decl.Name].(*types.Func)
				direct = append(direct, obj)
			}
		}
	}
	found := aq.m.space.index.callersOf(direct...)
	aq.byKey[key] = found
	return found
}

// views are the files to look for acquisitions of a key in: those touched and,
// where the original's call graph cannot be trusted any more, all others.
func (aq *acquirers) views(key string) []*view {
	var views []*view
	for _, name := range slices.Sorted(maps.Keys(aq.m.files)) {
		views = append(views, aq.m.view(aq.m.files[name], aq))
	}
	if !aq.removed[key] {
		return views
	}
	for _, name := range aq.m.space.fileNames {
		if !aq.m.space.locks(name) {
			continue
		}
		if t, err := aq.m.space.trees.of(name); err == nil && aq.m.files[name] == nil {
			views = append(views, aq.m.space.originalView(t))
		}
	}
	return views
}

// takes is acquires, remembered of the original's functions.
func (v *view) takes(fd *dst.FuncDecl, key string) bool {
	id, original := v.tree.numbers[fd]
	if !original {
		return v.acquires(fd, key)
	}
	return v.space.facts.takers(v.space, v.tree)[key][id]
}

// takers are the NodeIDs of the functions of an original file that have an
// acquisition of a lock in their text, outside of go statements, by its key.
func (fs *facts) takers(s *Space, t *tree) map[string]map[int]bool {
	fs.mu.Lock()
	found := fs.taking[t]
	fs.mu.Unlock()
	if found != nil {
		return found
	}
	found = make(map[string]map[int]bool)
	v := s.originalView(t)
	for _, d := range t.root.Decls {
		fd, ok := d.(*dst.FuncDecl)
		if !ok {
			continue
		}
		dst.Inspect(fd, func(n dst.Node) bool {
			switch n := n.(type) {
			case *dst.GoStmt:
				return false
			case *dst.CallExpr:
				if c, ok := v.lockCall(n); ok && c.acquires() {
					if found[c.lock.Key] == nil {
						found[c.lock.Key] = make(map[int]bool)
					}
					found[c.lock.Key][t.numbers[fd]] = true
				}
			}
			return true
		})
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.taking == nil {
		fs.taking = make(map[*tree]map[string]map[int]bool)
	}
	fs.taking[t] = found
	return found
}

// acquires reports whether a function has an acquisition of a lock in its text,
// outside of go statements.
func (v *view) acquires(fd *dst.FuncDecl, key string) bool {
	found := false
	dst.Inspect(fd, func(n dst.Node) bool {
		switch n := n.(type) {
		case *dst.GoStmt:
			return false
		case *dst.CallExpr:
			c, ok := v.lockCall(n)
			found = found || ok && c.lock.Key == key && c.acquires()
		}
		return !found
	})
	return found
}
