// Package renew begins with new memory where that which was used is emptied to be filled again,
// although others may still have it:
//
//	group := make([]string, 0, n)
//	for lines.Scan() {
//		group = append(group, lines.Text())
//		if len(group) == n {
//			go handle(group)
//			                                // new memory: others may still have what group was
//			group = group[:0]           →   group = make([]string, 0, n)
//		}
//	}
//
// It mends data races and values that change under their users' eyes: a slice that is cut to no
// elements keeps its array, and what is appended next overwrites what a goroutine, a channel's
// receiver or a callback was given. Such races by slices are a pattern of their own in a study
// of races in Go (Chabbi and Ramanathan, A Study of Real-World Data Races in Golang, PLDI 2022).
// Packages copyreused and clonemap give away a copy instead.
//
// Emptied are slices by x = x[:0] and x = append(x[:0], ...), and maps by clear(x). The new one is made as the
// variable was, where that is written in the same function; otherwise it is nil, and a map is made without a size. An
// edit has all places that empty one variable or field, in all functions: one that is left is the same bug. Where each
// function that gives it away empties it itself, these are enough: what others empty is nobody's. Variables that one
// statement empties, keys, values = keys[:0], values[:0], are renewed together, and so are a slice and the memory that its
// elements refer to, p, counts = h.appendTo(counts) and points = append(points, p).
//
// Left out are
//   - variables that are only appended to, indexed, measured and looped over: nobody else has their
//     memory,
//   - variables that go into a sync.Pool, which are kept for their memory,
//   - modules in which a file that empties the variable is generated.
package renew
