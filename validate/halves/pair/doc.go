// Package pair has what the finders of halves compare: the functions of a program before and after a patch.
//
//	c := pair.New(program, fset, packages)
//	for _, fn := range c.After.Funcs {
//		if was := c.Before.Named[fn.FullName]; was != nil && c.Changed(fn) {
//			found = append(found, c.At(fn, fn.Pos(), "it takes %d locks, and took %d", pair.LockCalls(fn), pair.LockCalls(was)))
//		}
//	}
//
// # Words
//
// A [Change] is two versions of some packages: all that the patch may touch, and no others. A [Version] has their
// functions, tests left out, by their full names, so that one finds the other version of a function that is still called
// the same. A function has changed when its tokens differ; comments, indentation and what stands in texts do not count. A
// [Finder] lists findings of one sort in a change. A [Finding] is a place in the patched file, and a sentence.
//
// Each finder reads the syntax and types of both versions by itself. What several of them ask is here, too: which field an
// expression names ([FieldOf]), what takes a lock ([LockCalls]), and the like (names.go, statements.go).
package pair
