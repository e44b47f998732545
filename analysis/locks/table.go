package locks

// A Table is what a package keeps of each model, so that it finds it out once. What it keeps
// belongs to who has the model locked, as the model's own does.
type Table[T any] struct{ make func() *T }

// NewTable describes a table by how it is made for a model, on first use.
func NewTable[T any](make func() *T) *Table[T] { return &Table[T]{make} }

// Of is the table of a model.
func (t *Table[T]) Of(m *View) *T {
	if kept, ok := m.tables[t]; ok {
		return kept.(*T)
	}
	kept := t.make()
	m.tables[t] = kept
	return kept
}
