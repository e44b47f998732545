package guards

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/callers"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
)

// Part are the uses at which a lock is always held.
func Part(m *locks.View, uses []access.Use, key string) (held, not []access.Use) {
	for _, u := range uses {
		if At(m, u, key) == Always {
			held = append(held, u)
		} else {
			not = append(not, u)
		}
	}
	return held, not
}

// KeysAt are the keys of the locks that may be held at some uses, sorted.
func KeysAt(m *locks.View, uses []access.Use) []string {
	var keys []string
	for _, u := range uses {
		keys = append(keys, LocksHeld(m, u)...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Written reports whether one of some uses is a write.
func Written(uses ...[]access.Use) bool {
	return slices.ContainsFunc(uses, func(list []access.Use) bool {
		return slices.ContainsFunc(list, func(u access.Use) bool { return u.Write })
	})
}

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
func Guards(of *locks.Model, u access.Use, key string) Certainty {
	m := of.Lock()
	defer of.Unlock()
	return At(m, u, key)
}

// At says whether a lock with a key is held at a use, as Guards does.
func At(m *locks.View, u access.Use, key string) Certainty {
	q := guardQuestion{u.At, key}
	c, known := tables.Of(m).guarding[q]
	if !known {
		c = findGuards(m, u, key)
		tables.Of(m).guarding[q] = c
	}
	return c
}

func findGuards(m *locks.View, u access.Use, key string) Certainty {
	best := Never
	owner := OwnerIn(m, u.Base, key)
	if n := m.NodeOf(u.In, u.At); n != nil {
		for _, f := range m.Flows(u.In) {
			if f.Lock.Key != key || owner.Known() && f.Lock.Path.Known() && !belongs(m, f.Lock.Path, owner) {
				continue
			}
			switch h, some := f.At(n); {
			case h.Always && !(u.Write && h.Read):
				return Always
			case some:
				best = Maybe
			}
		}
	}
	var names []naming.Lock
	if owner.Known() {
		_, field := program.CutKey(key)
		names = []naming.Lock{{Path: owner.With("." + field), Key: key}}
	}
	q := &callers.Question{M: m, Key: key, Reading: !u.Write, Asked: make(map[*program.Func]bool), Shipped: true}
	switch q.Of(u.In, names) {
	case callers.HeldAtEntry:
		return Always
	case callers.AlikeAtEntry:
		if !owner.Known() || owner.Root == nil {
			return Always
		}
		best = Maybe
	}
	return best
}

// belongs reports whether a lock is a field of the value that a path leads to.
func belongs(m *locks.View, lock, owner naming.Path) bool {
	_, ok := lock.Below(owner)
	return ok
}

// OwnerIn is the part of a path that leads to the value which has a lock with a key as a
// field; the zero Path if there is none.
func OwnerIn(m *locks.View, p naming.Path, key string) naming.Path {
	owner, _ := program.CutKey(key)
	if p.Root == nil || owner == "" {
		return naming.Path{}
	}
	at, t, rest := naming.Path{Root: p.Root}, p.Root.Type(), strings.TrimPrefix(p.Text, ".")
	for {
		if program.TypeKey(t) == owner {
			return at
		}
		name, more, _ := strings.Cut(rest, ".")
		if name == "" || strings.ContainsAny(name, "[]") {
			return naming.Path{}
		}
		obj, _, _ := types.LookupFieldOrMethod(t, true, p.Root.Pkg(), name)
		field, ok := obj.(*types.Var)
		if !ok {
			return naming.Path{}
		}
		at, t, rest = at.With("."+name), field.Type(), more
	}
}

// LocksAt are the keys of the locks that may be held at a use, sorted.
func LocksAt(of *locks.Model, u access.Use) []string {
	m := of.Lock()
	defer of.Unlock()
	return LocksHeld(m, u)
}

// LocksHeld are the keys of the locks that may be held at a use, as LocksAt has them.
func LocksHeld(m *locks.View, u access.Use) []string {
	keys, known := tables.Of(m).atUse[u.At]
	if !known {
		keys = findLocksAt(m, u)
		tables.Of(m).atUse[u.At] = keys
	}
	return keys
}

func findLocksAt(m *locks.View, u access.Use) []string {
	var keys []string
	if n := m.NodeOf(u.In, u.At); n != nil {
		for _, f := range m.Flows(u.In) {
			if _, some := f.At(n); some && f.Lock.Key != program.AnyKey {
				keys = append(keys, f.Lock.Key)
			}
		}
	}
	var above map[string]bool
	if a := callers.AboveOf(m, u.In); a != nil {
		above = a.Keys
	}
	for key := range above {
		if key != program.AnyKey && !slices.Contains(keys, key) && At(m, u, key) == Always {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// A Guard is the lock of a variable.
type Guard struct {
	access.Variable
	Lock       string       // key
	Written    bool         // a comment says so
	Held       []access.Use // at which it is held
	Exceptions []access.Use // at which it is not, on some path at least
}

// All lists the guards of the variables that change: the lock that a comment at the
// field names ("guarded by mu"), and else the one that is held at most of its uses, those
// left out at which nobody can get in the way. Of locks that are held at as many uses it is
// the first by its key.
func All(of *locks.Model) []Guard {
	m := of.Lock()
	defer of.Unlock()
	byVar := make(map[string][]access.Use)
	var order []string
	for _, u := range access.List(m) {
		if u.Alone {
			continue
		}
		if byVar[u.Key] == nil {
			order = append(order, u.Key)
		}
		byVar[u.Key] = append(byVar[u.Key], u)
	}
	said := saidGuards(m)
	var list []Guard
	for _, key := range order {
		if g, ok := guardOf(m, byVar[key], said[key]); ok {
			list = append(list, g)
		}
	}
	return list
}

// Of is the guard of the variable with a key, as AllGuards has it; ok is false if it has
// none, or does not change.
func Of(of *locks.Model, variable string) (g Guard, ok bool) {
	m := of.Lock()
	defer of.Unlock()
	uses := slices.DeleteFunc(slices.Clone(access.List(m)), func(u access.Use) bool { return u.Key != variable || u.Alone })
	if len(uses) == 0 {
		return Guard{}, false
	}
	return guardOf(m, uses, saidGuards(m)[variable])
}

// ForReading reports whether a write is under the read side of a lock with a key, where that
// would guard a read.
func ForReading(of *locks.Model, u access.Use, key string) bool {
	m := of.Lock()
	defer of.Unlock()
	return OnReadSide(m, u, key)
}

// OnReadSide says of a write what ForReading does.
func OnReadSide(m *locks.View, u access.Use, key string) bool {
	if !u.Write || At(m, u, key) == Always {
		return false
	}
	u.Write = false
	return findGuards(m, u, key) == Always
}

// guardOf finds the guard of a variable by its uses, and by what a comment says, if one does.
func guardOf(m *locks.View, uses []access.Use, said string) (Guard, bool) {
	if !Written(uses) {
		return Guard{}, false
	}
	g := Guard{Variable: uses[0].Variable, Lock: said, Written: said != ""}
	if said == "" {
		most := 0
		for _, key := range KeysAt(m, uses) {
			if held, _ := Part(m, uses, key); len(held) > most {
				g.Lock, most = key, len(held)
			}
		}
	}
	g.Held, g.Exceptions = Part(m, uses, g.Lock)
	return g, g.Lock != ""
}

// guardedBy is how comments name the lock of a field.
var guardedBy = regexp.MustCompile(`(?i)\b(?:guarded|protected) by (?:[A-Za-z_]\w*\.)*([A-Za-z_]\w*)`)

// saidGuards are the keys of the locks that comments at fields name, by the field's key.
func saidGuards(m *locks.View) map[string]string {
	said := make(map[string]string)
	seen := make(map[*analysis.File]bool)
	for _, fn := range m.Shipped() {
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
