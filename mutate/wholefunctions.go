package mutate

// All lists the functions that may be edited, narrowed or not, by file and in
// source order: what belongs together may lie in functions that no evidence names.
func (w *Whole) All() []*Function { return w.space.allFunctions() }
