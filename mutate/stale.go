package mutate

import (
	"go/ast"
	"hash/fnv"
	"math"
	"slices"

	"mendel/mutate/internal/syntax"
)

// An asked is the last enumeration: what operators found in each function, and what the
// narrowing said of the function then. When the narrowing has grown, those are
// asked about again that are near to what is new; see stale.
type asked struct {
	edits map[*Function][]Edit
	said  map[*Function]knowledge
}

// knowledge is what a narrowing says of one function, as hashes.
type knowledge struct {
	uses  uint64 // its shared variables, and its heat
	waits uint64 // where failures saw goroutines blocked in it
}

// reach is over how many calls what is new in a function may matter to another.
// Operators follow calls three deep, in either direction.
const reach = 4

// knows is what the narrowing says of a function now.
func (fn *Function) knows() knowledge {
	h, w := fnv.New64a(), fnv.New64a()
	add := func(n uint64) {
		var b [8]byte
		for i := range b {
			b[i] = byte(n >> (8 * i))
		}
		h.Write(b[:])
	}
	if fn.Narrowing.Concurrent(fn.Node) {
		add(1)
	}
	for _, a := range fn.Accesses(fn.Body) {
		add(uint64(a.Expr.Pos()))
	}
	first, last := fn.line(fn.Node.Pos()), fn.line(fn.Node.End()-1)
	if fn.Narrowing.Hottest(fn.File, first, last) > 0 {
		for line := first; line <= last; line++ {
			add(math.Float64bits(fn.Narrowing.Heat(fn.File.Name, line)))
			if waits := fn.Narrowing.Waits(fn.File.Name, line); waits != "" {
				add(uint64(line))
				w.Write([]byte(waits))
				w.Write([]byte{byte(line), byte(line >> 8), byte(line >> 16)})
			}
		}
	}
	return knowledge{h.Sum64(), w.Sum64()}
}

// stale finds the functions of which operators may say something else than the
// last time: those of which the narrowing says something new; those that operate
// on the same channels or, where a goroutine was seen blocked, on the same locks,
// or on groups and conditions; the functions a few calls away from all of these,
// and the literals around and in them. It also takes down what is said now. All
// are stale the first time.
func (s *Space) stale() map[*Function]bool {
	said := make(map[*Function]knowledge)
	stale := make(map[*Function]bool)
	var blocked []*Function
	for _, name := range s.fileNames {
		for _, fn := range s.functions[name] {
			now := fn.knows()
			was, known := s.last.said[fn]
			said[fn] = now
			if !known || was != now {
				stale[fn] = true
			}
			if known && was.waits != now.waits {
				blocked = append(blocked, fn)
			}
		}
	}
	first := s.last.said == nil
	s.last.said = said
	if first || len(stale) == 0 {
		return stale
	}
	for _, c := range s.channels().All() {
		uses := c.Uses()
		if slices.ContainsFunc(uses, func(u ChannelUse) bool { return stale[u.Fn] }) {
			for _, u := range uses {
				stale[u.Fn] = true
			}
		}
	}
	s.addBlockedWith(blocked, stale)
	delete(stale, nil)
	for range reach {
		s.addNeighbours(stale)
	}
	return stale
}

// addBlockedWith adds the functions that use the locks of some functions, in which
// goroutines were seen blocked, and those that use groups and conditions.
func (s *Space) addBlockedWith(blocked []*Function, stale map[*Function]bool) {
	if len(blocked) == 0 {
		return
	}
	keys := make(map[string]bool)
	for _, fn := range blocked {
		for key := range fn.lockKeys() {
			keys[key] = true
		}
	}
	for _, list := range s.functions {
		for _, fn := range list {
			for key := range fn.lockKeys() {
				stale[fn] = stale[fn] || keys[key]
			}
			stale[fn] = stale[fn] || fn.synchronises()
			if !stale[fn] {
				delete(stale, fn)
			}
		}
	}
}

// lockKeys are the keys of the locks whose methods the function's text calls.
func (fn *Function) lockKeys() map[string]bool {
	return fn.memo.locks.get(func() map[string]bool {
		keys := make(map[string]bool)
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if l, _, ok := fn.Program.LockOf(fn.File, call); ok {
					keys[l.Key] = true
				}
			}
			return true
		})
		return keys
	})
}

// synchronises reports whether the function's text calls a method of package sync.
func (fn *Function) synchronises() bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			f := syntax.Callee(fn.File.Package.Info, call.Fun)
			found = found || f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync" && f.Signature().Recv() != nil
		}
		return !found
	})
	return found
}

// addNeighbours adds the callers and callees of functions, by name, and the
// functions in the same declaration.
func (s *Space) addNeighbours(stale map[*Function]bool) {
	var more []*Function
	for fn := range stale {
		more = append(more, fn.Callers()...)
		for _, c := range fn.allCalls() {
			more = append(more, c.To)
		}
		for _, other := range s.functionsOf(fn.File.Rel) {
			if decl := fn.decl(); decl != nil && other.decl() == decl {
				more = append(more, other)
			}
		}
	}
	for _, fn := range more {
		stale[fn] = true
	}
}
