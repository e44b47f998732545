package mutate

import (
	"go/ast"
	"maps"
	"slices"
)

// FirstEdits makes a space list another number of edits at first.
func FirstEdits(n int) Option { return func(s *Space) { s.wanted = n } }

// Looked makes a space tell how many functions operators are given to go through.
func Looked(at func(functions int)) Option { return func(s *Space) { s.looked = at } }

// A Judgement is what [Space.flags] says of some edits.
type Judgement struct {
	Flags   []Flag
	Refused bool
}

// Judge makes a mutant of some edits and judges it.
func (s *Space) Judge(edits ...Edit) Judgement { return s.judge(newMutation(s), edits) }

// JudgeSketch is Judge, but makes the edits on sketches.
func (s *Space) JudgeSketch(edits ...Edit) Judgement { return s.judge(newSketchMutation(s), edits) }

func (s *Space) judge(m *Mutation, edits []Edit) Judgement {
	edits = s.canonical(flatten(edits))
	m, err := s.apply(m, edits)
	if err != nil {
		return Judgement{Refused: true}
	}
	return Judgement{Flags: s.flags(m, edits)}
}

// JudgeAgain is Judge, but follows every declaration of the program anew instead
// of those that were edited.
func (s *Space) JudgeAgain(edits ...Edit) Judgement {
	edits = s.canonical(flatten(edits))
	m, err := s.apply(newMutation(s), edits)
	if err != nil {
		return Judgement{Refused: true}
	}
	j := Judgement{}
	flags := make(map[Flag]bool)
	for _, e := range edits {
		for _, f := range e.Flags {
			flags[f] = f != Nested
		}
	}
	aq := newAcquirers(m)
	all, nestings := newLockOrder(), make(map[order]bool)
	for _, pkg := range s.program.Packages {
		for _, f := range pkg.Files {
			original := s.originalView(s.trees.later(f).nodeIDs())
			original.acquirers = aq
			views := make(map[ast.Decl]*view)
			edited := m.files[f.Rel]
			for i, d := range original.decls {
				if edited == nil || edited.clones[i] == nil {
					views[d] = original
				}
			}
			if edited != nil {
				v := m.view(edited, aq)
				for _, d := range v.decls {
					views[d] = v
				}
			}
			for d, v := range views {
				w := v.walk(d)
				maps.Copy(all.edges, w.order.edges)
				maps.Copy(all.irregular, w.order.irregular)
				if m.files[f.Rel] == nil && s.functions[f.Rel] == nil {
					continue
				}
				for ev := range v.added(w) {
					flags[Blocks] = flags[Blocks] || ev.kind == waits
					for _, o := range w.nestings[ev] {
						nestings[o] = true
					}
				}
				flags[Serialises] = flags[Serialises] || v.serialises(w, d)
			}
		}
	}
	g := &mutantOrder{of: &programOrder{}, new: programOrder{after: make(map[string]map[string]int), irregular: make(map[string]int)}}
	g.new.add(all)
	for o := range nestings {
		flags[Nested] = flags[Nested] || g.onCycle(o)
	}
	maps.DeleteFunc(flags, func(_ Flag, is bool) bool { return !is })
	j.Flags = slices.Sorted(maps.Keys(flags))
	return j
}
