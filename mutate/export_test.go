package mutate

// FirstEdits makes a space list another number of edits at first.
func FirstEdits(n int) Option { return func(s *Space) { s.wanted = n } }

// Looked makes a space tell how many functions operators are given to go through.
func Looked(at func(functions int)) Option { return func(s *Space) { s.looked = at } }

// Foreseen is what the filter says of some edits; ok is false where they are refused.
func (s *Space) Foreseen(edits ...Edit) (flags []Flag, ok bool) {
	return s.foreseen(newMutation(s), edits)
}

// ForeseenBySketch is Foreseen, but makes the edits on sketches.
func (s *Space) ForeseenBySketch(edits ...Edit) (flags []Flag, ok bool) {
	return s.foreseen(newSketchMutation(s), edits)
}

func (s *Space) foreseen(m *Mutation, edits []Edit) ([]Flag, bool) {
	edits = s.canonical(flatten(edits))
	m, err := s.apply(m, edits)
	if err != nil {
		return nil, false
	}
	return s.foresees(m, edits), true
}
