package sched

import (
	"fmt"
	"log"
	"log/slog"
	"os"
	"reflect"
	"strings"
)

// A guard is an object of the library, or a state of a package, with a lock of its
// own: a logger, the environment. Calls that use it are scheduling points.
//
// While a logger calls a writer under control, it holds its lock. The engine holds the
// guard then, so that no other goroutine waits for the real lock.
type guard struct {
	object Object
	holder *goroutine // nil: free
	free   func() bool
	users  []uint32 // with foreign: by goroutine, the last time
}

// guardOf is the guard of a key: a pointer to an object, or the name of a state.
func (x *execution) guardOf(key any) *guard {
	s := x.guards[key]
	if s == nil {
		if x.guards == nil {
			x.guards = map[any]*guard{}
		}
		s = &guard{}
		s.free = func() bool { return s.holder == nil }
		x.guards[key] = s
	}
	return s
}

// points makes the scheduling points among words, and adds what is to be released.
func (g *goroutine) points(words string, v reflect.Value, met []*guard) []*guard {
	if !pointing(words) {
		return met
	}
	for w := range strings.FieldsSeq(words) {
		var s *guard
		switch {
		case w[0] == '$':
			name, how, _ := strings.Cut(w[1:], ":")
			switch {
			case name[0] == '!':
				g.x.depend(name[1:] + " (cgo)")
			case name == "log":
				s = g.point(reflect.ValueOf(log.Default()), "log.std", how)
			case name == "slog" && how == "l": // mostly it prints
				s = g.point(reflect.ValueOf(slog.Default()), "slog.std", "L")
			default:
				s = g.pass(name, name, how, false)
			}
		case w == "l" || w == "L" || w == "S":
			s = g.point(dynamic(v), "", w)
		case w[0] == 'P' || w[0] == 'O':
			s = g.foreign(w, dynamic(v))
		case strings.HasSuffix(w, "mHandle"):
			s = g.point(dynamic(v), "", "L")
		}
		if s != nil {
			met = append(met, s)
		}
	}
	return met
}

// pointing reports whether words may tell of scheduling points. It is asked for every
// call of the library.
func pointing(words string) bool {
	for i := range len(words) {
		switch words[i] {
		case 'l', 'L', 'S', '$', 'P', 'O':
			return true
		}
	}
	return false
}

// point is the use of an object that has a lock of its own.
func (g *goroutine) point(v reflect.Value, name, how string) *guard {
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil
	}
	if name == "" {
		name = v.Type().Elem().String()
	}
	output, lock := outputOf(v, 0)
	switch {
	case !lock.IsValid():
		lock = v
	case output == terminal && how == "L":
		how = "l" // nobody reads it
	}
	return g.pass(lock.UnsafePointer(), name, how, output == controlled && how == "L")
}

// pass is the scheduling point. The guard of what calls back is held.
func (g *goroutine) pass(key any, name, how string, holds bool) *guard {
	s := g.x.guardOf(key)
	op := Op{Kind: KindStore, Obj: &s.object, Read: how == "l", What: "write of " + name}
	if op.Read {
		op.Kind, op.What = KindLoad, "read of "+name
	}
	if how == "L" {
		op.Enabled = s.free
	}
	if holds {
		op.Kind, op.What = KindAcquire, "lock of "+name
	}
	g.do(&op)
	Acquire(&s.object)
	switch {
	case holds:
		s.holder = g
		g.holds = append(g.holds, s)
	case !op.Read:
		return s
	}
	return nil
}

// Called comes after a call of the library that may hold a lock while it calls the
// program: of a logger.
func Called() {
	if g := current(); g != nil {
		g.letGo()
	}
}

// letGo releases what the last call of the library held.
func (g *goroutine) letGo() {
	for _, s := range g.holds {
		if s.holder != g {
			continue
		}
		if g.scheduled() {
			g.do(&Op{Kind: KindRelease, Obj: &s.object, What: "unlock"})
			Release(&s.object)
		}
		s.holder = nil
	}
	g.holds = g.holds[:0]
}

// Kinds of outputs of a logger.
const (
	other      = iota
	terminal   // of the process
	controlled // a writer of the program
)

// outputOf finds where an object of package log or log/slog writes to, and the lock
// that it holds then: nothing for other objects.
func outputOf(v reflect.Value, depth int) (output int, lock reflect.Value) {
	v = dynamic(v)
	if depth > 3 || v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return other, reflect.Value{}
	}
	t := v.Type().Elem()
	if t.PkgPath() != "log" && t.PkgPath() != "log/slog" {
		return other, reflect.Value{}
	}
	if t.Name() == "defaultHandler" {
		return outputOf(reflect.ValueOf(log.Default()), depth+1)
	}
	lock = v
	for i := range t.NumField() {
		f := v.Elem().Field(i)
		switch name := t.Field(i).Name; {
		case name == "mu" && f.Kind() == reflect.Pointer:
			lock = f
		case name == "handler" || name == "commonHandler":
			return outputOf(f, depth+1)
		}
	}
	for _, name := range []string{"out", "w"} {
		if f := v.Elem().FieldByName(name); f.IsValid() {
			return kindOfOutput(dynamic(f)), lock
		}
	}
	return other, reflect.Value{}
}

func kindOfOutput(w reflect.Value) int {
	switch {
	case !w.IsValid():
		return other
	case w.Type() == reflect.TypeFor[*os.File]():
		return terminal
	case w.Kind() != reflect.Pointer && standard(w.Type()), w.Kind() == reflect.Pointer && standard(w.Type().Elem()):
		return other
	}
	return controlled
}

// foreign is the use of an object of a package whose accesses to memory are not seen.
// That is no race. But if nothing orders it with the use by another goroutine, there
// may be one.
func (g *goroutine) foreign(word string, v reflect.Value) *guard {
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil
	}
	s := g.x.guardOf(v.UnsafePointer())
	for len(s.users) <= g.id {
		s.users = append(s.users, 0)
	}
	for id, time := range s.users {
		if id != g.id && time > g.clock.at(id) {
			g.unwatched(fmt.Sprintf("goroutines share a %s, and what its package does to memory is not reported; --instrument %s does that", v.Type().Elem(), word[1:]))
		}
	}
	s.users[g.id] = g.clock.at(g.id)
	if word[0] == 'P' {
		return g.pass(v.UnsafePointer(), v.Type().Elem().String(), "S", false)
	}
	return nil
}
