// Package mutate edits the synchronisation of a program.
//
// An [Operator] knows one way to edit; a [Space] asks every operator what it
// can do in the functions that the analysis has narrowed a program down to.
// Each answer is an [Edit]: an operator at a place of the original source with
// its parameters. A set of edits gives a [Mutant], the same one in whatever
// order they are named, or a [Refusal]:
//
//	space, err := mutate.NewSpace(program, narrowing, operators.All())
//	...
//	m, err := space.Mutant(ctx, space.Edits()[:1])
//	var refusal *mutate.Refusal
//	if errors.As(err, &refusal) { // an ordinary outcome: take another edit
//
// Edits of an operator that belong together have a group in common; an operator can
// also list other sets of edits. For each there is one more edit: a composite
// edit ([Composite]) stands for other edits, its parts. It is
// listed, sorted and drawn like any other; in a Mutant the parts take its place.
//
// Operators look at a [Function] of the original, as syntax with types, and its
// critical sections ([Section]); they change a [Mutation], which holds a
// decorated tree (package dst) of each file touched, or a sketch of one where an edit is
// only tried. Places are named by NodeID: the ordinal of a node in the walk of the
// original's tree.
//
// What holds a lock where, across functions, is the knowledge of package locks:
// one model answers for the original and judges each mutant's printed source, which is
// type-checked once: where a lock is taken that is held, and the flags for waits, nested locks
// and goroutines that run under one lock. Edits that are listed and not built have flags of a
// filter that looks at the edited trees without types; what it flags the model flags, too.
//
// What is found out about functions of the original is a package by subject below
// mutate/fact. Each is found once for a function, by a [Fact], or once for a program, by [Once]:
//
//   - exits finds where control leaves statements other than at their end,
//   - starts finds what starts goroutines, and the calls that run a function,
//   - held says which locks are held where, and why one cannot be held around statements,
//   - effects says what statements do that matters to a lock around them,
//   - guards finds what a section's lock guards,
//   - captures finds what can be evaluated before a lock is released,
//   - methodcalls finds calls of methods of a type,
//   - typetext writes types as code.
//
// What this package is made of, and does not itself know, lies below mutate/internal, and knows
// package analysis alone:
//
//   - tree has the trees of edited files, and lines compares texts that are printed,
//   - critical recognises critical sections,
//   - holding follows locks through edited trees: the filter of edits that are not built,
//   - paths follows the control flow of statements for both,
//   - testrules says what must stay of a file of tests.
//
// Each other directory below mutate is an operator. What several of them share lies
// below mutate/internal, too:
//
//   - sectionedit moves the bounds of critical sections, and takes locks away,
//   - locked finds functions that take a lock which callers could hold, and makes variants
//     of them that take none,
//   - locking puts statements or a function body under a lock,
//   - chanwait ends a wait at a channel,
//   - syncops says which synchronisation a statement does,
//   - waitgroups, conditions and capture find what functions do with wait groups,
//     condition variables and captured variables,
//   - channelflow finds which expressions may be one channel,
//   - blocking finds what may keep a goroutine waiting,
//   - lending finds memory that its owner uses again,
//   - lockcall says which calls are of a lock's methods,
//   - mutatetest tests operators by golden archives.
//
// To add an operator, run go run ./internal/newop NAME. It is asked about each function of a
// program, of which there may be thousands. What it looks for in all of them it finds once, and
// keeps by [Once] or, if that depends on the narrowing, by [Remember]. At hand are
// [Function.Callers], [Function.Mentions] and By of package starts. (TestOperatorsLookOnce)
//
// # Hazards
//
// An edit of a lock affects more than the place where it is made. Each hazard
// below names the test that guards against it; an archive is a file in testdata
// of the directory named.
//
// Early return. A section that is left by return, break, continue, goto or
// panic leaves its lock locked. Exits get a release of their own, or the
// release is deferred, or the edit is refused.
// (addlock/testdata/forms.txtar)
//
//	mu.Lock()
//	if n == 0 {
//		return errNone // mu stays locked
//	}
//	mu.Unlock()
//
// Deferred release. It runs when the function ends, not the block: in a loop
// the second iteration would wait for ever, and what follows a nested block would
// be locked too. (addlock/testdata/forms.txtar, Loop and Nested)
//
// Order of deferred calls. They run last to first, so that one deferred before
// the lock was taken runs when it is free. Whole-body locks are put behind the
// defers that a body begins with. (addlock/testdata/receivers.txtar, Add)
//
//	defer wg.Done()
//	mu.Lock()
//	defer mu.Unlock()
//
// Non-reentrancy. A goroutine that locks a mutex it holds waits for itself.
// Neither a statement under the lock, nor one that calls a function which takes
// it, nor a function whose caller holds it is offered that lock; and a set of
// edits that leads to it is refused. Helpers, callbacks, iterators and flags that
// hide a lock are seen through. (addlock/testdata/leftout.txtar;
// testdata/sets.txtar; TestNestedInCaller; TestNoRelock; analysis/locks/testdata/clothes)
//
//	func (a *Account) Deposit(n int) { a.mu.Lock(); defer a.mu.Unlock(); a.add(n) }
//	func (a *Account) add(n int)     { a.mu.Lock() } // never returns
//
// Opposite orders. Two goroutines that nest two locks in opposite orders can
// wait for each other for ever. A set of edits that nests a lock in another is
// flagged unless the lock-order graph of the whole edited program rules out a
// cycle (NestsMore in package locks says what that proves). (TestLockOrder)
//
//	a.mu.Lock(); b.mu.Lock() // here
//	b.mu.Lock(); a.mu.Lock() // and there
//
// Overlapping sections. Two edits whose statements overlap would give sections
// that are neither nested nor apart. (testdata/sets.txtar, edits 17+24)
//
// The lock's expression. If a statement of the section assigns to p, then
// p.mu.Unlock() releases another mutex than p.mu.Lock() acquired.
// (addlock/testdata/leftout.txtar, Walk)
//
// What leaves a section. An operand that the lock guards would be read without
// it when its statement is moved out. If a copy of its value serves as well,
// it is evaluated before the release; otherwise the edit is flagged. A
// variable that is never changed after it was made needs no guard.
// (TestCaptures; TestGuardedImmutable; shrinkend/testdata/forms.txtar)
//
//	next := q.next // q.mu guards it
//	q.mu.Unlock()
//	next(item)
//
// Copies that come too late. Memory that has gone back to a pool is copied before
// that, where a variable gets it, or not at all. (copyreused/testdata/pools.txtar, Sum;
// copyreused/testdata/leftout.txtar, Late)
//
//	buffers.Put(b)
//	return bytes.Clone(data) // data may be another one's by now
//
// Terminating statements. A release behind an endless loop, or behind an if that
// returns in both branches, is never reached, and a function with results that
// ended in one of them no longer compiles. (TestTerminates;
// addlock/testdata/forms.txtar; TestSweepStd)
//
// Read and write side. An RWMutex is taken for reading around statements that
// only read, and released by the method of the same side.
// (addlock/testdata/rwmutex.txtar)
//
// Copies. A mutex in a struct whose values are copied, compared or written
// without keys breaks the program or guards nothing; the analysis offers none
// there, and every golden mutant passes vet's copylocks.
// (addlock/testdata/copied.txtar)
//
// Names. A new lock must not hide, or be hidden by, what has its name, other
// new locks included; the package may call something else sync.
// (testdata/clash.txtar; testdata/imports.txtar; TestNewLocksShadow)
//
// Shared declarations. Edits that need the same new lock declare it once, above
// the variable that asked first; the comment names all it guards.
// (testdata/sets.txtar)
//
// Layout. Comments and blank lines elsewhere stay as they are, also in files
// that are not gofmt-ed and where decorating a file and printing it would move
// them. (testdata/comments.txtar; testdata/layout.txtar; TestInsertRemove;
// TestRebase; TestSweepStd)
//
// Waiting under a lock, nesting locks, and locking all a goroutine does are
// right Go and often wrong fixes: they are flagged, not refused. (TestFlags;
// TestBlocks)
//
// Panics. An operator that panics has nothing to offer there; the space goes on and
// says so. (TestPanickingOperator)
//
// Locks in helpers. Whether a set of edits leaves a variable without its lock elsewhere
// is asked of what is held there, also by helpers, callers, callbacks and iterators.
// (TestHiddenLocksGuard)
//
// A narrowing that has grown. What operators ask of it is noted ([Narrowed]); where
// nothing of that has changed they are not asked again, and the outcome is that of a
// new space. (TestExtendIsAsNew; TestExtendAsksAgain)
//
// Generated files are never edited, tests only when asked for, and then a test
// keeps its statements, and its assertions stay as and where they are.
// (TestLeftAlone, TestIncludeTests, TestAssertionsStay)
package mutate
