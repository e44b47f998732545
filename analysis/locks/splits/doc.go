// Package splits finds sections that are split: a value is read under a lock, the lock is released,
// and what follows from the value is written back under a later acquisition ([All]). The uses of
// a function in their sections are its [Step]s.
package splits
