package locks

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"mendel/analysis"
)

// A Certainty says how sure it is that a lock is held.
type Certainty int

// Certainties.
const (
	Never Certainty = iota
	Maybe
	Always
)

// A guardQuestion is whether a lock with a key guards a use.
type guardQuestion struct {
	at  ast.Expr
	key string
}

// Guards says whether a lock with a key is held at a use: by the function, or by all that
// call it. Of a lock that belongs to the value which has the variable it is that value's.
func (of *Model) Guards(u Use, key string) Certainty {
	m := of.Lock()
	defer of.Unlock()
	return m.guards(u, key)
}

func (m *View) guards(u Use, key string) Certainty {
	q := guardQuestion{u.At, key}
	c, known := m.guarding[q]
	if !known {
		c = m.findGuards(u, key)
		m.guarding[q] = c
	}
	return c
}

func (m *View) findGuards(u Use, key string) Certainty {
	best := Never
	owner := m.ownerIn(u.base, key)
	if n := m.nodeOf(u.In, u.At); n != nil {
		for _, f := range m.flowsOf(u.In) {
			if f.lock.Key != key || owner.known() && f.lock.Path.known() && !m.belongs(f.lock.Path, owner) {
				continue
			}
			switch h, some := f.at(n); {
			case h.Always && !(u.Write && h.Read):
				return Always
			case some:
				best = Maybe
			}
		}
	}
	var names []Lock
	if owner.known() {
		_, field := cutKey(key)
		names = []Lock{{Path: owner.with("." + field), Key: key}}
	}
	q := &entryQuestion{m: m, key: key, reading: !u.Write, asked: make(map[*Func]bool), shipped: true}
	switch q.of(u.In, names) {
	case HeldAtEntry:
		return Always
	case AlikeAtEntry:
		if !owner.known() || owner.Root == nil {
			return Always
		}
		best = Maybe
	}
	return best
}

// belongs reports whether a lock is a field of the value that a path leads to.
func (m *View) belongs(lock, owner Path) bool {
	_, ok := lock.below(owner)
	return ok
}

// ownerIn is the part of a path that leads to the value which has a lock with a key as a
// field; the zero Path if there is none.
func (m *View) ownerIn(p Path, key string) Path {
	owner, _ := cutKey(key)
	if p.Root == nil || owner == "" {
		return Path{}
	}
	at, t, rest := Path{Root: p.Root}, p.Root.Type(), strings.TrimPrefix(p.Text, ".")
	for {
		if typeKey(t) == owner {
			return at
		}
		name, more, _ := strings.Cut(rest, ".")
		if name == "" || strings.ContainsAny(name, "[]") {
			return Path{}
		}
		obj, _, _ := types.LookupFieldOrMethod(t, true, p.Root.Pkg(), name)
		field, ok := obj.(*types.Var)
		if !ok {
			return Path{}
		}
		at, t, rest = at.with("."+name), field.Type(), more
	}
}

// cutKey cuts a key at its last dot: the owner of a field, and the field.
func cutKey(key string) (owner, field string) {
	i := strings.LastIndex(key, ".")
	if i < 0 {
		return "", key
	}
	return key[:i], key[i+1:]
}

// typeKey is the full name of a type, or of what a pointer leads to.
func typeKey(t types.Type) string {
	n, ok := types.Unalias(deref(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// LocksAt are the keys of the locks that may be held at a use, sorted.
func (of *Model) LocksAt(u Use) []string {
	m := of.Lock()
	defer of.Unlock()
	return m.locksAt(u)
}

func (m *View) locksAt(u Use) []string {
	keys, known := m.atUse[u.At]
	if !known {
		keys = m.findLocksAt(u)
		m.atUse[u.At] = keys
	}
	return keys
}

func (m *View) findLocksAt(u Use) []string {
	var keys []string
	if n := m.nodeOf(u.In, u.At); n != nil {
		for _, f := range m.flowsOf(u.In) {
			if _, some := f.at(n); some && f.lock.Key != anyKey {
				keys = append(keys, f.lock.Key)
			}
		}
	}
	var above map[string]bool
	if a := m.aboveOf(u.In); a != nil {
		above = a.keys
	}
	for key := range above {
		if key != anyKey && !slices.Contains(keys, key) && m.guards(u, key) == Always {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// A Guard is the lock of a variable.
type Guard struct {
	Variable
	Lock       string // key
	Written    bool   // a comment says so
	Held       []Use  // at which it is held
	Exceptions []Use  // at which it is not, on some path at least
}

// AllGuards lists the guards of the variables that change: the lock that a comment at the
// field names ("guarded by mu"), and else the one that is held at most of its uses, those
// left out at which nobody can get in the way. Of locks that are held at as many uses it is
// the first by its key.
func (of *Model) AllGuards() []Guard {
	m := of.Lock()
	defer of.Unlock()
	byVar := make(map[string][]Use)
	var order []string
	for _, u := range m.allUsesOf() {
		if u.Alone {
			continue
		}
		if byVar[u.Key] == nil {
			order = append(order, u.Key)
		}
		byVar[u.Key] = append(byVar[u.Key], u)
	}
	said := m.saidGuards()
	var list []Guard
	for _, key := range order {
		if g, ok := m.guardOf(byVar[key], said[key]); ok {
			list = append(list, g)
		}
	}
	return list
}

// GuardOf is the guard of the variable with a key, as AllGuards has it; ok is false if it has
// none, or does not change.
func (of *Model) GuardOf(variable string) (g Guard, ok bool) {
	m := of.Lock()
	defer of.Unlock()
	uses := slices.DeleteFunc(slices.Clone(m.allUsesOf()), func(u Use) bool { return u.Key != variable || u.Alone })
	if len(uses) == 0 {
		return Guard{}, false
	}
	return m.guardOf(uses, m.saidGuards()[variable])
}

// ForReading reports whether a write is under the read side of a lock with a key, where that
// would guard a read.
func (of *Model) ForReading(u Use, key string) bool {
	m := of.Lock()
	defer of.Unlock()
	if !u.Write || m.guards(u, key) == Always {
		return false
	}
	u.Write = false
	return m.findGuards(u, key) == Always
}

// guardOf finds the guard of a variable by its uses, and by what a comment says, if one does.
func (m *View) guardOf(uses []Use, said string) (Guard, bool) {
	if !written(uses) {
		return Guard{}, false
	}
	g := Guard{Variable: uses[0].Variable, Lock: said, Written: said != ""}
	if said == "" {
		most := 0
		for _, key := range m.keysAt(uses) {
			if held, _ := m.held(uses, key); len(held) > most {
				g.Lock, most = key, len(held)
			}
		}
	}
	g.Held, g.Exceptions = m.held(uses, g.Lock)
	return g, g.Lock != ""
}

// guardedBy is how comments name the lock of a field.
var guardedBy = regexp.MustCompile(`(?i)\b(?:guarded|protected) by (?:[A-Za-z_]\w*\.)*([A-Za-z_]\w*)`)

// saidGuards are the keys of the locks that comments at fields name, by the field's key.
func (m *View) saidGuards() map[string]string {
	said := make(map[string]string)
	seen := make(map[*analysis.File]bool)
	for _, fn := range m.shipped() {
		if seen[fn.File] {
			continue
		}
		seen[fn.File] = true
		for _, d := range fn.File.AST.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range decl.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok {
					saidOf(fn.File.Package.Path+"."+t.Name.Name, t, said)
				}
			}
		}
	}
	return said
}

func saidOf(owner string, t *ast.TypeSpec, said map[string]string) {
	st, ok := t.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range st.Fields.List {
		found := guardedBy.FindStringSubmatch(f.Doc.Text() + "\n" + f.Comment.Text())
		for _, name := range f.Names {
			if found != nil {
				said[owner+"."+name.Name] = owner + "." + found[1]
			}
		}
	}
}
