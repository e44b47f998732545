// Package store keeps the observations of repairs, and what covering knows of
// interleavings, in one SQLite file in the output directory. It writes them as they are made, so that a later process
// can resume the repair.
//
// A writer takes the lock, opens the store and begins a run. The package
// example shows it complete:
//
//	lock, err := store.Acquire(dir) // no other process writes here
//	s, moved, err := store.Open(dir, false)
//	run := &store.Run{Package: "example.com/bank", Budget: 28800}
//	err = s.Begin(run)
//	mutant := store.Mutant{Hash: hash, Words: "put Transfer under mu", Edits: edits}
//	err = s.KeepEvaluation(store.Evaluation{Mutant: mutant, Judging: judging, Run: run.ID, Score: 966, Record: record})
//
// The store knows rows, not what a record means. Callers hand a record over as
// JSON, beside the columns that queries need.
//
// # Reading it
//
// schema.sql and iroots.sql describe the tables. They can be read with the sqlite3 shell,
// also while a repair runs:
//
//	sqlite3 -readonly mendel-out/mendel.db 'SELECT time, text FROM events ORDER BY id DESC LIMIT 20'
//
// # What a crash loses
//
// The file is in WAL mode with synchronous = NORMAL. Every method that writes
// has committed when it returns, and a process that is killed loses nothing
// that was committed. A power failure, or a crash of the operating system, may
// lose the last commits, usually seconds of work. It does not damage the file.
//
// The state of random generators is not kept. They are derived from the run's
// seed, which is among the options, the generation and the mutant.
//
// # Who may write
//
// One process at a time: the one that holds the [Lock] of the directory. The
// lock is free when that process ends, in whatever way. A reader ([Look]) needs
// no lock.
package store
