package waitgroups

import "mendel/mutate"

// Together makes an operator's composite edits: for each function with more
// than one of its edits, all of them. Where one goroutine of a group is not
// waited for as it should be, the next one is not either.
func Together(operator string) func(*mutate.Whole) []mutate.Edit {
	return func(w *mutate.Whole) []mutate.Edit {
		type place struct{ file, function string }
		var places []place // in the order of the source
		parts := make(map[place][]mutate.Edit)
		for _, e := range w.Edits {
			if e.Operator != operator {
				continue
			}
			p := place{e.File, e.Func}
			if parts[p] == nil {
				places = append(places, p)
			}
			parts[p] = append(parts[p], e)
		}
		var out []mutate.Edit
		for _, p := range places {
			if len(parts[p]) < 2 {
				continue
			}
			e := mutate.Composite(operator, parts[p]...)
			if _, ok := w.Try(e); ok {
				out = append(out, e)
			}
		}
		return out
	}
}
