package mutate

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/dave/dst"
)

// takers knows which functions acquire which locks in a mutation, where that
// differs from the original. They are followed over calls by name; for calls
// that are not, the original's call graph is all there is.
type takers struct {
	m       *Mutation
	keys    []string        // of the inserted acquisitions, sorted
	removed map[string]bool // keys that lost an acquisition
	byKey   map[string]map[*types.Func]bool
}

func newTakers(m *Mutation) *takers {
	ts := &takers{m: m, removed: make(map[string]bool), byKey: make(map[string]map[*types.Func]bool)}
	keys := make(map[string]bool)
	for _, f := range m.files {
		left := make(map[int]bool)
		dst.Inspect(f.root, func(n dst.Node) bool {
			if call, ok := n.(*dst.CallExpr); ok {
				if c, ok := m.acquires[call]; ok && c.acquires() {
					keys[c.lock.Key] = true
				}
				if id, ok := f.ids[call]; ok {
					left[id] = true
				}
			}
			return true
		})
		for id, c := range m.space.facts.lockCalls(m.space.program, f.tree) {
			if c.acquires() && !left[id] {
				ts.removed[c.lock.Key] = true
			}
		}
	}
	ts.keys = slices.Sorted(maps.Keys(keys))
	return ts
}

func (c insertedCall) acquires() bool { return c.method == "Lock" || c.method == "RLock" }

// take tells whether a call of f, which acquires originally in the original,
// acquires a lock of a key.
func (ts *takers) take(key string, f *types.Func, originally []string) bool {
	if ts == nil {
		return slices.Contains(originally, key)
	}
	if ts.of(key)[f] {
		return true
	}
	// What was removed may have been all there was.
	return slices.Contains(originally, key) && !ts.removed[key]
}

// inserted lists the keys of the inserted acquisitions that a call of f comes to.
func (ts *takers) inserted(f *types.Func) []string {
	if ts == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(ts.keys), func(key string) bool { return !ts.of(key)[f] })
}

// of finds the functions that acquire a lock of a key, themselves or in
// functions that they call by name.
func (ts *takers) of(key string) map[*types.Func]bool {
	if found := ts.byKey[key]; found != nil {
		return found
	}
	var takers []*types.Func
	for _, v := range ts.views(key) {
		for _, d := range v.root.Decls {
			fd, ok := d.(*dst.FuncDecl)
			if !ok || !v.acquires(fd, key) {
				continue
			}
			if decl, ok := v.syntax(fd).(*ast.FuncDecl); ok {
				obj, _ := v.tree.file.Package.Info.Defs[decl.Name].(*types.Func)
				takers = append(takers, obj)
			}
		}
	}
	found := ts.m.space.index.callersOf(takers...)
	ts.byKey[key] = found
	return found
}

// views are the files to look for acquisitions of a key in: those touched and,
// where the original's call graph cannot be trusted any more, all others.
func (ts *takers) views(key string) []*view {
	var views []*view
	for _, name := range slices.Sorted(maps.Keys(ts.m.files)) {
		views = append(views, ts.m.view(ts.m.files[name], ts))
	}
	if !ts.removed[key] {
		return views
	}
	for _, name := range ts.m.space.fileNames {
		if t, err := ts.m.space.trees.of(name); err == nil && ts.m.files[name] == nil {
			views = append(views, ts.m.space.originalView(t))
		}
	}
	return views
}

// acquires tells whether a function has an acquisition of a lock in its text,
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
