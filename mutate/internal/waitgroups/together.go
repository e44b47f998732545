package waitgroups

import "mendel/mutate"

// Together makes an operator's composite edits: for each function with more
// than one of its edits, all of them. Where one goroutine of a group is not
// waited for as it should be, the next one is not either.
func Together(operator string) func(*mutate.Whole) []mutate.Edit {
	return func(w *mutate.Whole) []mutate.Edit {
		type key struct{ file, function string }
		var keys []key // in the order of the source
		parts := make(map[key][]mutate.Edit)
		for _, e := range w.Edits {
			if e.Operator != operator {
				continue
			}
			p := key{e.File, e.Func}
			if parts[p] == nil {
				keys = append(keys, p)
			}
			parts[p] = append(parts[p], e)
		}
		var out []mutate.Edit
		for _, p := range keys {
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
