// Package locks says which locks a program holds where: one model of locks and
// control flow, which judges the original and a mutant's printed source alike.
//
// # Subjects
//
// Each subject has a package of its own. From the lowest to the highest, each may ask those
// before it:
//
//   - program: functions, who calls whom, and which expressions are locks;
//   - naming: which variable, and so which lock, an expression means;
//   - this package: how a function holds one lock, by following its control-flow graph;
//   - owned: which values nobody else can know yet;
//   - callers: what those hold who call a function, and why a lock cannot be held in it;
//   - access: who reads and writes which variables;
//   - guards: which locks are held there, and which of them is a variable's guard;
//   - order: in which order locks are taken, and in which circles;
//   - waits: what may take long while a lock is held;
//   - sections: what runs in a critical section;
//   - splits: sections that are split in two;
//   - changes: what a changed program makes wrong, or mends at some places only.
//
// # Queries
//
// [New] makes the model of a program, [Model.With] that of a mutant as far as it differs,
// and [Model.Patched] that of a whole changed program. What this package itself is asked is
//
//   - what is held at a statement, always or maybe ([Model.HeldAt]);
//   - where a function leaves a lock held, takes it twice or releases it too often, also with
//     some of its calls made otherwise ([Model.Balance]);
//   - which calls take a lock that is held ([Model.Relocks], [Model.NewRelocks]);
//   - which lock an expression or a call means ([Model.LockAt], [Model.LockOf]).
//
// A query says always or never only where that is so on all paths that the model sees; else
// it says maybe. TestSoundness compares it with all paths of random programs.
//
// # Asking
//
// A [Model] may be asked by several goroutines at once. The packages above are functions. Those that
// are given a Model lock it, and are for everyone. Those that are given a [View] are for who has
// locked the model: for each other. What such a package finds out of a model it keeps in a [Table].
//
// # How it works
//
// A model is made of syntax and types. It looks at one lock at a time, in the
// terms of one function: the names by which the function, its callees and its
// literals know it. A forward analysis over the function's control-flow graph
// (golang.org/x/tools/go/cfg) keeps at each point the set of ways in which the
// goroutine may hold the lock. What any path has is held maybe, what all paths
// have is held certainly. A call is replaced by its summary: what it makes of
// each way to hold the lock, and whether it then waits for itself. Summaries are
// computed when they are asked for, for the names and the functions that a call
// is given, and remembered; recursion is iterated to a fixed point.
//
// What is seen through:
//
//	s.lock(); defer s.unlock()          helpers, of any depth
//	defer s.hold()()                    functions that return the release
//	s.with(func() { ... })              functions that run their argument under a lock
//	s.evict(key, s.remove)              functions that are given methods, and call them
//	for x := range s.All() { ... }      iterators that hold a lock while they yield
//	if !mu.TryLock() { return }         and helpers that return what TryLock said
//	s.add(n, true)                      a constant flag that says who locks
//	l := &s.mu; l.Lock()                local names, accessors, sync.NewCond(&s.mu)
//	s.mus[i].Lock()                     elements, the same as long as i is
//	var l sync.Locker = &s.mu           also as a parameter
//
// A function ends by return, by panic or runtime.Goexit, and its deferred calls
// run, the last first. A goroutine (a go statement, Go of a wait group or an
// errgroup) begins without locks. Where it is asked how a function is entered, a path goes
// on behind a call that waits for itself, as if the lock could be taken again.
//
// # Identity
//
// Two locks are the same where their paths are: variables, fields and elements
// from a parameter, a local or a package variable on. Two paths that differ are
// taken for two locks, though they may meet. A lock that nothing names, as the
// result of a call, may be any with its key (the field it is); what is then said
// of it is a guess on the safe side of a self-deadlock.
//
// A call is followed where the callee sees the lock: where it, or what it gives
// the names that it knows the lock by, uses it.
//
// # Limits
//
// A call that does not see the lock is taken to return, with any result.
// Functions that are stored in a field or a variable are followed to all values
// that the program's text assigns to it, over a few names and calls; those in maps,
// slices and channels are not followed. An interface's method is every method of the
// module that it may be. Code outside of the module calls back only where it is known
// to (sort, slices, sync.Once). A lock in a map or slice by an index that is computed anew
// each time may be any of them. Locks of files, and channels and semaphores of one slot, are
// none here. That a value is handed on through a channel, so that it needs no lock, is not
// seen; a value counts as not shared yet only in the function that has made it and in what
// that calls, options among them (any literal of the type that is called). Conditions are understood where they are
// constants, TryLock or flags that are never assigned to. Unsafe code and reflection are not seen.
package locks
