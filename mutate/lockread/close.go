package lockread

import "mendel/mutate"

// closer finds the edits that read variables under a lock in a function: each by
// itself, and all of them.
func closer(w *mutate.Whole) func(mutate.Closing) [][]mutate.Edit {
	return func(c mutate.Closing) [][]mutate.Edit {
		var ways [][]mutate.Edit
		var all []mutate.Edit
		for _, e := range w.EditsOf("lockread") {
			if e.File == c.Fn.File.Rel && e.Func == c.Fn.Name && e.Lock != nil && e.Lock.Key == c.Key {
				ways = append(ways, []mutate.Edit{e})
				if e.Group != "" && !alreadyRead(all, e) { // without one another edit of the function has its read
					all = append(all, e)
				}
			}
		}
		if len(all) > 1 {
			ways = append([][]mutate.Edit{all}, ways...)
		}
		return ways
	}
}
