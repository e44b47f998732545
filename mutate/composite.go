package mutate

import (
	"cmp"
	"slices"

	"mendel/analysis"
)

// A Whole is a program as composite edits see it: all functions that may be
// edited, and what the operators found in each alone.
type Whole struct {
	Program   *analysis.Program
	Narrowing *Narrowed
	Functions []*Function // narrowed ones, by file, in source order

	space *Space
	list  func(operator string) []Edit
	edits map[string][]Edit // what list has said; see EditsOf
	asked map[string]bool   // operators whose edits EditsOf was asked for; nil: nobody listens

	byFile map[*analysis.File][]*Function // Functions; see At
}

// EditsOf lists what a single operator found, by function. The list must not be changed.
func (w *Whole) EditsOf(operator string) []Edit {
	if w.asked != nil {
		w.asked[operator] = true
	}
	found, known := w.edits[operator]
	if !known {
		if w.edits == nil {
			w.edits = make(map[string][]Edit)
		}
		found = slices.Clip(w.list(operator))
		w.edits[operator] = found
	}
	return found
}

// Composite returns the composite edit of an operator that stands for the
// parts. It is placed at the one of the greatest worth and has its heat and belief; what all parts
// have in common, such as the lock, it has, too, and the variables of all. A
// single part gives a composite edit all the same. There must be one. It reaches
// what any of its parts does.
func Composite(operator string, parts ...Edit) Edit {
	parts = flatten(parts)
	slices.SortFunc(parts, compareEdits)
	hottest := parts[0]
	for _, p := range parts[1:] {
		if p.Worth() > hottest.Worth() {
			hottest = p
		}
	}
	e := Edit{
		Operator: operator, File: hottest.File, Line: hottest.Line, Func: hottest.Func, Node: hottest.Node,
		Lock: hottest.Lock, Heat: hottest.Heat, Belief: hottest.Belief, Note: hottest.Note, Parts: parts,
	}
	e.reachOf(parts)
	for _, p := range parts {
		if e.Lock != nil && (p.Lock == nil || p.Lock.Key != e.Lock.Key) {
			e.Lock = nil
		}
		if p.Note != e.Note {
			e.Note = ""
		}
		e.Vars = append(e.Vars, p.Vars...)
		e.Flags = append(e.Flags, p.Flags...)
	}
	slices.Sort(e.Vars)
	slices.Sort(e.Flags)
	e.Vars, e.Flags = slices.Compact(e.Vars), slices.Compact(e.Flags)
	return e
}

// reachOf gives a composite edit the reach of all its parts together, unless some
// part covers nothing.
func (e *Edit) reachOf(parts []Edit) {
	for _, p := range parts {
		if p.Reach == 0 {
			return
		}
		e.races = e.races.With(p.races)
	}
	e.Reach = e.races.Share()
}

// Try makes the mutant of an edit, composite ones included, without printing
// and type-checking it. It returns flags that the mutant would have, maybe not all; ok is false
// when it is refused. It is for operators that make edits of others.
func (w *Whole) Try(e Edit) (flags []Flag, ok bool) { return w.space.try(e) }

// Applies reports whether Try gives a mutant. It does not ask for the flags.
func (w *Whole) Applies(e Edit) bool { return w.space.applies(e) }

// Applies is [Whole.Applies] for an edit of the function.
func (fn *Function) Applies(e Edit) bool { return fn.space.applies(e) }

func (s *Space) applies(e Edit) bool {
	_, err := s.apply(newSketchMutation(s), s.canonical(flatten([]Edit{e})))
	return err == nil
}

// try is [Whole.Try]. What is tried while edits are enumerated is remembered, for
// enumerations to come.
func (s *Space) try(e Edit) (flags []Flag, ok bool) {
	a := s.attempts.of(s.narrowing, e.Key(), func() ([]Flag, bool) {
		edits := s.canonical(flatten([]Edit{e}))
		m, err := s.apply(newSketchMutation(s), edits)
		if err != nil {
			return nil, false
		}
		return s.foresees(m, edits), true
	})
	return slices.Clone(a.flags), a.ok
}

// flatten puts the parts of composite edits in their place. Of edits that are
// the same a plain one stays, and of parts the one that says most; a plain edit
// that is named twice stays a mistake.
func flatten(edits []Edit) []Edit {
	if !slices.ContainsFunc(edits, func(e Edit) bool { return len(e.Parts) > 0 }) {
		return edits
	}
	plain := make(map[EditKey]bool)
	var flat []Edit
	for _, e := range edits {
		if len(e.Parts) == 0 {
			plain[e.Key()] = true
			flat = append(flat, e)
		}
	}
	at := make(map[EditKey]int)
	for _, e := range edits {
		if len(e.Parts) == 0 {
			continue
		}
		for _, p := range flatten(e.Parts) {
			k := p.Key()
			i, known := at[k]
			switch {
			case plain[k]:
			case !known:
				at[k] = len(flat)
				flat = append(flat, p)
			case saysMore(p, flat[i]):
				flat[i] = p
			}
		}
	}
	return flat
}

// saysMore orders edits that are the same but were made for other variables, so
// that the order in which they are named does not matter.
func saysMore(a, b Edit) bool {
	return cmp.Or(
		cmp.Compare(len(b.Vars), len(a.Vars)),
		slices.Compare(a.Vars, b.Vars),
		cmp.Compare(a.Note, b.Note),
		cmp.Compare(b.Worth(), a.Worth()),
		slices.Compare(a.Flags, b.Flags),
	) < 0
}
