// Package journal holds what a run stores and restores, and the clock of its
// work.
//
// A run is one repair, however many processes take part in it. Its [Journal]
// enters in the store of the output directory what happens, as it happens: the
// options, how the original behaves, scores, validations, generations, the log.
// Nothing of the genetic algorithm is stored. A process that goes on with a run
// repeats the search from its beginning, and what was learnt from outside is
// answered by the store; a seed decides the rest.
//
//	clock := &journal.Clock{}
//	j, err := journal.Open(wanted, clock)
//	if err != nil {
//		return err // somebody else repairs with this output directory
//	}
//	defer j.Close()
//	past, err := j.Latest(wanted.Out) // the run to go on with
//	j.Replay(past)                    // nothing new has happened yet
//
// Words: a journal is replaying while all that happens happened before, and goes
// live with the first thing that is new. [Past] is a run as an earlier process
// left it. A [Fingerprint] is the source and the toolchain, hashed; scores hold
// for one fingerprint. [Format] is the version of what is stored; a run goes on
// with every Mendel that knows its format. [State] is what "mendel status"
// shows.
//
// The [Clock] counts time at work by the monotonic clock. It stands still while
// a journal is replaying: what is only restored costs no budget.
package journal
