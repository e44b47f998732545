// Package setup is what a repair is given: the program, how it is to be repaired, and where to tell of it.
//
// The stages of a repair, and what finds out how the original fails, hand it on:
//
//	p := setup.NewProgress(w.Observer, w.Verbose, journal)
//	s := setup.New(w, journal, p)
//	s.Tool, s.Program = tool, program // once it is loaded
//	p.Phase("reproduce", "running the tests with noise")
//	p.Note("no race detector: %v", err)
//
// Words: the [Settings] are what was asked for, resolved: defaults are filled in, and what the evidence and the
// toolchain decide is decided. A [Setup] is the settings with the program; it never changes once that is loaded. What
// is told and counted goes through the [Progress]: phases with their times, notes of what limits the work, lines of
// the log. Its [Meter] counts the work of this process, and of earlier ones where a run goes on: builds, runs,
// schedules, evaluations.
//
// Nothing here decides anything of a repair, and nothing knows of its stages.
package setup
