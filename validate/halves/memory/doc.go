// Package memory has the finders of halves about memory: what is handed out, kept, lent or copied too shallowly, so that
// others change it, or see it change.
//
//	for _, f := range pair.New(program, fset, packages).Find(memory.Handouts, memory.Shallow) {
//		fmt.Println(f.What)
//	}
//
// # Words
//
// Memory is what a slice or map has, or a struct that a pointer names. A value gives away memory of its own when an
// exported method returns it. It goes on changing when some method changes its elements in their place; a field that
// only ever gets new memory does not. A copy is shallow if it shares a slice or map with what it is a copy of.
//
// # What is alike
//
//   - places that hand over memory of one pool or buffer, which is used again (lent.go);
//   - slices and maps that a function gives away and fills again, where the patch has another function
//     begin with new memory, or give away a copy (lent.go);
//   - what a cache has and a function gives away, where the patch gives away a copy at another place, in that function
//     or not (lent.go);
//   - slices and maps of a value, and pointers to its structs, that are given away and go on changing, where
//     the patch gives away a copy elsewhere (handouts.go);
//   - changes in its place of what a function has given, or of what a field has, where the patch has another function
//     change a copy (borrowed.go);
//   - calls that change what a method has given under its lock, where the patch holds the lock over such a call
//     elsewhere (given.go).
//
// # What is half done
//
// Half done are, at the place that the patch changes,
//
//   - uses of what the patch has a function put back into a pool before (putback.go);
//   - copies of what a lock guards, when the lock has been released (latecopies.go);
//   - copies of structs that share what is changed in its place (shallow.go).
//
// What several of them ask of memory is in memory.go.
package memory
