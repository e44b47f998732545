package hoist

import (
	"slices"

	"mendel/mutate"
)

// maxFunctions bounds the functions of a composite edit. Guessed.
const maxFunctions = 8

// together lists, for each lock that is hoisted in several functions, the edit of
// all of them: of each function the one that covers most and, of those that cover as
// much, the hottest.
func together(w *mutate.Whole) []mutate.Edit {
	var order []string
	widest := make(map[string][]mutate.Edit) // by lock: one for each function
	for _, e := range w.EditsOf("hoist") {
		known := widest[e.Lock.Key]
		if known == nil {
			order = append(order, e.Lock.Key)
		}
		i := slices.IndexFunc(known, func(k mutate.Edit) bool { return k.File == e.File && k.Func == e.Func })
		switch {
		case i < 0:
			widest[e.Lock.Key] = append(known, e)
		case e.Count > known[i].Count || e.Count == known[i].Count && e.Worth() > known[i].Worth():
			known[i] = e
		}
	}
	var out []mutate.Edit
	for _, key := range order {
		if n := len(widest[key]); n < 2 || n > maxFunctions {
			continue
		}
		e := mutate.Composite("hoist", widest[key]...)
		if i := slices.IndexFunc(w.Functions, func(fn *mutate.Function) bool { return fn.File.Rel == e.File && fn.Name == e.Func }); i >= 0 {
			e.Node = w.Functions[i].ID(w.Functions[i].Node) // it is about the function, no variant of the edit of a statement
		}
		if _, ok := w.Try(e); ok {
			out = append(out, e)
		}
	}
	return out
}
