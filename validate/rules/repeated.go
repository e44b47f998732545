package rules

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
)

// A slot of a semaphore, or a connection of a pool, is to be released once. To leave out one
// of two releases leaves out no work.

// repeated counts the calls or sends that are gone although a defer statement makes the
// same, as it is written, in the same declaration, or in one that calls it or that it
// calls, before the change and after it.
func repeated(before, after []effect, links map[[2]string]bool) int {
	n := 0
	for _, d := range before {
		if d.text == "" || count(after, d) >= count(before, d) || first(before, d).at != d.at {
			continue
		}
		by := func(list []effect) bool {
			for _, o := range list {
				near := o.in == d.in && !d.deferred || o.in != d.in && links[[2]string{o.in, d.in}]
				if o.deferred && o.text == d.text && near {
					return true
				}
			}
			return false
		}
		if by(before) && by(after) {
			n += count(before, d) - count(after, d)
		}
	}
	return n
}

// putOff counts the sends, or closes, that are gone because one that is deferred stands for several: one on each way out, as
// they give back what was received before, or end what is sent. What is lost on a way out is another question (see package halves).
func putOff(key string, before, after []effect) (n int) {
	if !strings.HasPrefix(key, sendKey) && !strings.HasPrefix(key, closeKey) {
		return 0
	}
	for _, d := range before {
		if d.text == "" || d.deferred || first(before, d).at != d.at {
			continue
		}
		deferred := d
		deferred.deferred = true
		more := count(after, deferred) - count(before, deferred)
		if gone := count(before, d) - count(after, d); more > 0 && gone > more {
			n += gone - more
		}
	}
	return n
}

// count counts the effects that are written as one is, and in the same function.
func count(list []effect, as effect) (n int) {
	for _, d := range list {
		if alike(d, as) {
			n++
		}
	}
	return n
}

// first is the first effect that is written as one is.
func first(list []effect, as effect) effect {
	for _, d := range list {
		if alike(d, as) {
			return d
		}
	}
	return as
}

func alike(a, b effect) bool {
	return a.text == b.text && a.in == b.in && a.deferred == b.deferred
}

// A synchronising says of functions, by their keys, whether they only synchronise: what
// they do would be no work where they are called either. It is not safe for concurrent use.
type synchronising struct {
	files   []*analysis.File
	effects *effects        // of the files; nil: not asked for yet
	results map[string]bool // functions that return something
	known   map[string]bool // see only
	ending  map[string]bool // see ends
}

// newSynchronising is for the functions of some files.
func newSynchronising(files []*analysis.File) *synchronising {
	return &synchronising{files: files, results: map[string]bool{}, known: map[string]bool{}, ending: map[string]bool{}}
}

// only reports whether a function is one of the files, and has no effects
// but receives, and calls of locks, wait groups and functions that only synchronise, too.
func (s *synchronising) only(key string) bool {
	if s == nil || !strings.HasPrefix(key, callKey) {
		return false
	}
	if known, ok := s.known[key]; ok {
		return known
	}
	s.read()
	s.known[key] = false // one that calls itself is taken to work
	s.known[key] = s.body(key)
	return s.known[key]
}

// read collects the effects of the files once.
func (s *synchronising) read() {
	if s.effects != nil {
		return
	}
	s.effects = newEffects()
	for _, f := range s.files {
		s.effects.read(f)
		for _, d := range f.AST.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok {
				if fn, ok := f.Package.Info.Defs[decl.Name].(*types.Func); ok {
					s.results[callKey+methodName(fn)] = fn.Signature().Results().Len() > 0
				}
			}
		}
	}
}

// ends reports whether a function is one of the files, and does nothing but what makes
// goroutines end: it closes channels, and synchronises.
func (s *synchronising) ends(key string) bool {
	if s == nil || !strings.HasPrefix(key, callKey) {
		return false
	}
	if known, ok := s.ending[key]; ok {
		return known
	}
	s.read()
	s.ending[key] = false // one that calls itself is taken to work
	s.ending[key] = s.effects.has(key) && !s.effects.starting[key] && s.doesOnly(key, func(what string) bool {
		return strings.HasPrefix(what, closeKey) || s.only(what) || s.ends(what)
	})
	return s.ending[key]
}

// doesOnly reports whether all effects of a function are of a kind.
func (s *synchronising) doesOnly(key string, is func(what string) bool) bool {
	for what, list := range s.effects.done {
		if slices.ContainsFunc(list, func(d effect) bool { return d.in == key && !d.internal }) && !is(what) {
			return false
		}
	}
	return true
}

func (s *synchronising) body(key string) bool {
	if !s.effects.has(key) || s.effects.starting[key] {
		return false
	}
	synchronises := s.effects.synchronise[key]
	for what, list := range s.effects.done {
		for _, d := range list {
			if d.in != key || d.internal {
				continue
			}
			if !s.only(what) {
				return false
			}
			synchronises = true
		}
	}
	return synchronises
}
