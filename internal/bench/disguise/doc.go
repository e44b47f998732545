// Package disguise writes a program in another way, with the same behaviour and the same bug.
//
// A repair that has learned the programs that it was developed on finds less when the
// same bug is written as somebody else would write it. A [Way] is such a way of writing; each
// changes a whole module, its tests and those of a judge included:
//
//	generic    structs with locks or channels have a type parameter, which nothing uses
//	embedded   a struct embeds its only mutex
//	accessors  a lock is taken and released by methods of the value
//	wrapped    exported methods call one that is not, which does the work
//	nested     a mutex and fields beside it are in a struct within the struct
//	rwmutex    each mutex is a sync.RWMutex
//	names      fields have names that say nothing
//
// What does not compile when it is written so stays as it was, type by type; where nothing
// is left to change, the way does not apply to the program.
//
//	q, applies, err := disguise.Apply(ctx, p, disguise.Generic)
package disguise
