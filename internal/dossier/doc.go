// Package dossier defines what a repair leaves for its reports.
//
// A [Dossier] holds everything that the reports show: the failures with a
// failing execution of each, the fixes with the changed files before and after,
// the same schedules under the fix, what the search tried, and how long
// everything took. It is complete: its reader needs neither the source nor the
// program. So a report can be made on another machine, or after the source has
// changed. The dossier is data; package report and those below it word it.
//
// A repair writes it as dossier.json into the output directory, beside
// result.json, which is the short form for programs.
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
// A trace is an execution prepared for drawing. It has rows in order of time,
// each the step of one goroutine. It has bars, which say from which row to which
// a goroutine held a lock. It has marks at the rows that the failure is about. A
// replay is the trace of a fixed program that was guided along a schedule that
// failed before.
package dossier
