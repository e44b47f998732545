// Package tree has the trees of the files that edits change, with their comments and blank
// lines: what is to be changed in a file, and where comments go then, is asked here. Which edits
// there are, and why, is package mutate's.
//
// # Words
//
//   - An [Original] is a file as it is, with its nodes numbered. A NodeID is the ordinal of a
//     node in the pre-order walk, without comments; it is the same in the syntax, in the
//     decorated tree, and in each clone of that.
//   - An [Edited] file has the original's declarations, and clones of those that an edit has
//     asked for a node of. A node that an edit has made has no NodeID.
//   - A sketch is an edited file that shows what can be edited, without comments. It is made in
//     a fraction of the time, and cannot be printed.
//
// # Hazards
//
//   - A comment belongs to the statement below it, or to that on its line; what is inserted or
//     removed beside it leaves it there. (TestInsertRemove)
//   - An edit may ask for a node that an earlier one has taken out. (TestNodeAfterRemoval)
//   - A file that is not gofmt-ed, or that decorating and printing would change, keeps its layout
//     but for the edited lines. (package lines)
//   - The package may call something else sync, and another import may have its name.
//     (mutate/testdata/imports.txtar)
//
// # Use
//
//	files := tree.NewFiles(program)
//	f, err := files.Edit("account.go", false)
//	at := f.Node(id).(dst.Stmt)
//	err = f.Insert(at, false, stmts...)
//	source, err := f.Print()
package tree
