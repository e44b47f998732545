// Package events tells programs what a command does, while it does it.
//
// A command's stages tell an Observer of their progress; a [Stream] is such an Observer,
// as the display for people is. It makes an [Event] of each thing that it is told, and
// gives it to a function: [Lines] writes events as JSON, one a line.
//
//	lines := events.NewLines(file)
//	s := events.NewStream(lines.Tell)
//	s.Begin(events.Begin{Command: "check"})
//	o.Observer = s // the command's options
//	...
//	s.End(events.End{Exit: 1, Result: document})
//	err := lines.Err()
//
// The first event is a [Begin] and the last one an [End], with the document that the
// command prints with --json. Between them come, in the order in which things happened,
// a [Phase] when something else is done now, a [Search] for each step of a genetic
// search, and a [Line] for each line of the log that stays. What concerns a part of the
// work, such as one package of several, has the part's name.
//
// # Format
//
// [Version] is the version of the format, which the first event has. Within a version
// types of events and keys may be added, and nothing is removed or changes its meaning.
// docs/events.md describes the format, and docs/events.schema.json is its JSON schema,
// made from the types of this package by a test:
//
//	go test ./internal/events -update
package events
