// Package store keeps what a repair has learnt in one SQLite file in the output
// directory, as it happens, so that a later process can go on from there.
//
//	lock, err := store.Acquire(dir) // nobody else writes here
//	s, moved, err := store.Open(dir, false)
//	run := &store.Run{Package: "example.com/bank", Budget: 28800}
//	err = s.Begin(run)
//	err = s.KeepEvaluation(store.Evaluation{Judging: key, Hash: hash, Run: run.ID, Score: 966})
//
// The store knows rows and no more: what a record means is for those who keep
// it. They hand it over as JSON, beside the columns that people ask for.
//
// # Reading it
//
// schema.sql describes the tables. They are made to be read with the sqlite3
// shell, also while a repair goes on:
//
//	sqlite3 -readonly mendel-out/mendel.db 'SELECT time, text FROM events ORDER BY id DESC LIMIT 20'
//
// # What a crash loses
//
// The file is in WAL mode with synchronous = NORMAL. A process that is killed
// loses nothing that was committed, and every method that writes has committed
// when it returns. A power failure, or a crash of the operating system, may
// lose the last commits, seconds of work as a rule; it does not damage the file.
//
// The state of random generators is not kept. They are derived from the run's
// seed, the generation and the mutant, so the seed among the options is all
// there is to it.
//
// # Who may write
//
// One process at a time, the one that holds the [Lock] of the directory. It
// belongs to the process: however that ends, the lock is free. Whoever reads
// ([Look]) needs none.
package store
