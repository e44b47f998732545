// Package holding follows the locks that are held in files that edits have changed, by the trees
// alone, without types of what was inserted. What it misses, the model of the printed source
// (package locks) will find; what it reports must be so. It is what edits are sorted out by
// before anything is printed and type-checked, which takes far longer.
//
// A lock is known by how it is written, without aliases. Locks that callers or callees hold are
// not seen.
package holding
