// Package dossier is what a repair leaves for those who look at it afterwards.
//
// A [Dossier] holds all that the reports show: the failures with a failing
// execution of each, the fixes with the changed files before and after and the
// same schedule under the fix, what the search tried, and how long everything
// took. It is complete: whoever has it needs neither the source nor the
// program, so a report can be made on another machine or after the source has
// changed. Everything in it is data; words for people are the reports'.
//
// The root package writes it as dossier.json into the output directory, beside
// result.json, which stays the short form for programs.
//
//	d, err := dossier.Read("mendel-out")
//	if err != nil {
//		return err
//	}
//	for _, fix := range d.Fixes { // best first
//		fmt.Println(fix.Patch, fix.ChangedLines)
//	}
//
// # Words
//
// A trace is an execution prepared for drawing: rows in order of time, each the
// step of one goroutine; bars that say from which row to which a goroutine held
// a lock; and marks at the rows that the failure is about. A replay is the
// trace of a fixed program led along a schedule that failed before.
package dossier
