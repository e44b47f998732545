// Package incremental keeps executions from being made twice: what an execution of one
// program came to is taken over for another program that differs from it only where the
// execution did not come. CORE-IMC (Kelk 2015) does so between a mutant and its parent
// with the states of a model checker. Mendel's checker stores no states, so whole
// executions are taken over, between any two programs of a search. Within one program the
// engine does the same, see below.
//
//	var k incremental.Marker
//	marked, err := k.Mark(name, text, "zzpoint", "mendelrt/sched") // each rewritten file
//	points, why := k.Points()
//	...
//	memory.Add(scope, "random 1", points, reached, outcome) // of an execution of the program
//	...
//	known := memory.Find(scope, points) // of another program, by key, with what is reached
//
// # Words
//
// A point is the beginning of a statement in a function's body, or the body of a block
// without statements. Mark puts an assignment there, which notes that an execution has
// come to the point. The place of a point is its path: the function, and in each list of
// statements the index. Its text is the statement without the lists inside it, which have
// points of their own. The rest of a program is all that is in no function's body: types,
// variables, their initial values and the order in which they get them, imports,
// signatures, and whole files and packages that are not marked.
//
// A program differs from another at a point if the other has no point with this path and
// this text there. [Memory] compares texts by their hashes, so it does not matter how
// the programs came about: as parent and child, in other generations, or to reduce a
// candidate.
//
// # Why it is sound
//
// Claim: let program P have an execution that follows some choices, and program M have
// the same rest. If M does not differ from P at any point that the execution came to,
// then M, with the same test and the same choices, makes the same execution.
//
// By induction over the steps, both programs are in the same state until one of them does
// something that the other does not. What is done next is the beginning of a statement,
// the end of a list, or part of a statement that began. A statement that P comes to begins
// at a point; M has the same text there, so it does the same. Its names mean the same in
// both: what a function's body declares is declared by a statement before it or around
// it, which P came to as well, and all else is in the rest. Whether a local variable is
// watched, or copied for a goroutine, is decided by the whole function, even by statements
// that P does not come to; but it is decided when the program is rewritten, and it is the
// rewritten text that is compared. At the end of a list P comes to no point. So the last
// statement of a list is marked as the last in its text: if M goes on behind it, the texts
// differ. A body without statements has a point for the same reason. Lists that share a
// function with a goto can be entered in the middle; there the whole function is one text.
//
// What happens before an execution counts too: initial values of variables that nobody
// changes are computed once in a process. Points that were come to then belong to each of
// its executions.
//
// The choices are the same if the strategy draws them from the seed, the number of the
// execution and what the engine tells it. For random strategies with
// explore.Search.Numbered that is so, but for a state that is part of the key. A schedule
// that is followed has its choices.
//
// # What is left out
//
// The text that is compared lacks what an execution does not see: the lines that
// directives and the names of goroutines give, numbers in the names of temporary variables
// (in the order of their first use they are the same), comments between statements, and
// white space. So failures are carried over without their places: the checker makes the
// first execution with each failure again, and takes the places from it. If that ends
// otherwise than the memory has it, nothing is taken over for that test.
//
// Not taken over are executions that depend on more than the schedule, as the checker
// knows it (packages outside control, state that is not re-initialised, programs whose
// tests need others before them), and those that were stopped for lack of time. A program
// that reads its own source positions can see a difference that is left out, such as one
// that compares what it has logged with lines; so a program that calls runtime.Caller or
// the like, or has package log tell lines, is not marked.
//
// # The same program again
//
// An execution that a program has made is not made again either. What its strategy was
// asked is kept in a tree (explore.Tree): who goes on, which number, whether a timer expires;
// with all that the strategy is told, and at the end what the execution came to.
//
// Claim: a strategy that is led along the tree to the end of a known execution would have
// made this execution.
//
// By induction over the questions: a strategy is deterministic, and learns of an execution
// nothing but what it is asked, by Next, Choose and Expire. The first question is that of
// the program's first decision. If it gives an answer that was given there before, the
// choices so far are those of a known execution, and since the same choices give the same
// execution, with the same options from the same state, the next question is the one that
// is kept. Where it gives an answer that nobody has given, the execution is made from its
// beginning, with the same answers. What is asked then is compared with what is kept; if it
// differs, there is more to executions than the choices, and the test is explored anew
// without a tree. So it is made without one if code outside control had part in an
// execution. Strategies that are told more are not led: dfs with its reduction also learns
// what is blocked, mcm and states what goroutines see. Searches of dfs and random ones
// choose in different ways when a timer expires; they share a tree only until one is set.
//
// What was tried and left out: to take ways for one that make the same steps in an
// equivalent order (as the reduction of dfs does). It saved up to four in a hundred
// executions more, and none on most subjects.
//
// # Limits
//
// A memory lasts as long as the checker. Hashes would hold beyond it, but the moment at
// which executions begin by the virtual clock would not; a repair that is resumed recalls
// scores, and makes the schedules of new mutants anew.
package incremental
