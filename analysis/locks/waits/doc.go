// Package waits says what may take long while a lock is held: a wait for other goroutines, for
// input or output, or code that somebody else has given ([PausesHeld]). Of a mutant it says whether it
// waits under a lock where the original does not ([WaitsMore]), and whether it runs all of a goroutine
// under one ([Serialises]).
package waits
