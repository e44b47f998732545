package chanwait

import "mendel/mutate"

// maxParts is the largest number of operations that are edited together.
const maxParts = 6

// Together lists the composite edit of an operator for all operations at which
// goroutines were seen waiting, with the hottest edit of each, if there are two
// or more.
func Together(w *mutate.Whole, operator string) []mutate.Edit {
	type key struct {
		file string
		node int
	}
	hottest := make(map[key]mutate.Edit)
	for _, e := range w.Edits {
		if e.Operator != operator {
			continue
		}
		at := key{e.File, e.Node}
		if l, ok := hottest[at]; !ok || e.Heat > l.Heat {
			hottest[at] = e
		}
	}
	var parts []mutate.Edit
	for _, fn := range w.Functions {
		for _, op := range Ops(fn) {
			e, ok := hottest[key{fn.File.Rel, fn.ID(op.At)}]
			if _, seen := op.Heat(fn); ok && seen {
				parts = append(parts, e)
			}
		}
	}
	if len(parts) < 2 || len(parts) > maxParts {
		return nil
	}
	return []mutate.Edit{mutate.Composite(operator, parts...)}
}
