// Package subject reads the subjects: programs with a known bug, each with a
// corrected copy, below the directory subjects.
//
// A subject is a module of its own with a subject.json, which Read reads. The
// corrected copy lies in its testdata/fixed. The sets are CORE's fourteen
// programs and our own.
//
//	all, err := subject.Read("subjects", nil)
//	ours := subject.InSet(all, subject.OwnSet)
package subject
