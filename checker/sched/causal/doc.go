// Package causal finds, from one execution of a program, what other executions must be
// made so that each outcome of each schedule is seen. It follows Luo, "Runtime
// Verification of concurrent programs", section 4.2 (Huang, Luo and Roşu, "RV-Causal",
// 2015), and Huang, "Stateless Model Checking Concurrent Programs with Maximal Causality
// Reduction" (PLDI 2015). It knows nothing of goroutines or memory: it is given each
// execution as a [Trace] and answers with a [Plan] for the next one.
//
//	e := NewExplorer()
//	for {
//		e.Add(trace) // of an execution along the plan, at first along none
//		plan, ok := e.Next()
//		if !ok {
//			break // all, if e.Broken() is ""
//		}
//		...
//	}
//
// # Words
//
// A trace is a sequence of steps. Each belongs to one goroutine, or to two that meet at an
// unbuffered channel, and is indivisible. It sees values of locations, then puts values to
// locations. A location is a piece of memory, the state of a lock, of a channel, or of
// another object. The history of a goroutine is the sequence of what it has seen.
//
// Two axioms are assumed of a program. What happens in an execution up to some moment can
// happen, whatever comes later. And what a goroutine does next is determined by its history
// (local determinism). The second is watched: where two goroutines with one history do
// different things or put different values, [Explorer.Broken] says so.
//
// A class is a set of histories, one of each goroutine, with which an execution ends. What
// a program does, a failing assertion for instance, depends on histories only. So one
// execution of each class shows all that can happen, but for two things. One is a deadlock:
// an execution of some steps of another one, after which no goroutine can go on. The other
// is a data race: whether two accesses are ordered by locks differs within a class. Both are
// looked for in each class.
//
// # What is solved
//
// Of a trace, some steps can happen in an order in which all see what they saw in the
// trace. Constraints on the order say which (analysis):
//
//   - the steps of a goroutine are in their order, after the step that started it;
//   - a value that is seen was put last, or is the initial one;
//   - sections between the lock and the unlock of a mutex do not overlap; readers'
//     sections overlap with each other;
//   - a wait for a counter comes after all that brings it to zero.
//
// They are solved by package order. The event z is where the order ends, and each
// constraint holds for what comes before z only. That one write lies between another and
// its reader is forbidden only once a solution has it so (refine).
//
// What could happen after such an order, a target, is one of
//
//   - a goroutine sees another value, of those that the location had in the trace;
//   - a number is chosen otherwise, or a case of a select, or a partner at a channel;
//   - an operation that had to wait at the end of the trace goes on;
//   - a race: two accesses of which each is made before the other's goroutine goes on;
//   - a stop: each goroutine has ended, or has to wait.
//
// For each solution an execution is made. It goes on freely after the target.
//
// # Why all classes are found
//
// Let E be any execution, and of all those that were made let R be one that has the longest
// prefix p of E: each goroutine's history after p is the beginning of one in R. Let e be the
// step of E after p, whose goroutine G does not see in R what it sees in E. Its history
// before e is in R, so it does, or has announced, the same operation there. All that has
// put something in p is in R, so what G sees in e is a value that was put in R, or the
// initial one. So p and e are a solution of a target of R. Solutions with steps D of R are
// excluded only where an execution was made, or is made, that has all of D and e. So some
// execution has p and e, and a longer prefix of E than R has (where e sees several things,
// one more of them). So there is one that has all of E. The printed rule of the thesis
// makes only one execution for each value, whatever steps come with it, and loses classes.
//
// For a stop, and for a race, E's steps are then all in R, and the query finds them.
// Between two operations a goroutine's accesses to plain memory count as one step with the
// operation before. That loses nothing as long as there is no race, and a race is found:
// of the executions with one, consider one whose steps before it are fewest.
//
// # What one trace foretells
//
// A [Predictor] asks for less, and of one trace only: after which orders of its steps two
// accesses race, goroutines wait for each other, an address is nil, a channel has been
// closed, or an access comes between two of another goroutine. It takes a long trace in
// windows: of each, all that came before is as it was, and only its own steps are put into
// another order. It claims nothing; who asks makes an execution along each [Prediction].
//
// # Limits
//
//   - Addresses, and what looks like one (integers from 4096 to 1<<48), are told apart by
//     who wrote them, not by value. So is a map, as a whole, the state of a buffered
//     channel, of a sync.Map, a sync.Cond, a sync.Pool, a context and the like. That makes
//     more classes than there are outcomes, and loses none.
//   - Partners at an unbuffered channel are part of what is seen.
//   - What memory has in the end without being read is no outcome.
//   - A loop that polls has a class for each number of rounds: it does not end.
//   - Broken gives a reason, and there are no more plans, where a trace cannot be
//     understood: a wait group whose counter might become negative in some order, or that
//     is used again in an open order; a read/write lock that is tried, or released by
//     another goroutine; memory that is accessed in parts of different sizes (what
//     is seen of it depends on which is met first); time; random numbers; executions of
//     more than 2,000 steps.
package causal
