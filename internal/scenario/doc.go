// Package scenario makes tests by machine for what a patch touches, and tries the patched
// program with them under the checker.
//
// A patch is validated by the tests that its program has. These seldom call more than two
// methods side by side, so a lock that is put around one use of a field and left out at
// another passes them. A scenario is a call of one exported method or function beside a call of
// another one, on a value that is prepared as a test of the program prepares it:
//
//	hub := NewHub(WithLimit(4))   // a test's own lines, as far as hub needs them
//	defer hub.Close()
//	go hub.Publish("a")           // arguments as the tests have them, else small values
//	hub.Stats()
//
// [Make] writes them, from syntax and types alone. [Open] loads the program with them and makes
// both calls of each one after the other, in both orders, in the original: what they come to
// then is what they may come to side by side. [Drivers.Try] explores the schedules of all
// scenarios in a patched program. What counts against the patch ([Objection]) is
//
//   - a race at what the patch touches: in a function that it changes, or about a field that
//     such a function uses;
//   - a panic, a deadlock or a goroutine that stays blocked, where the original's calls one
//     after the other have none of that kind in any order;
//   - results, or what the value's getters say after the calls, that the original gives in
//     neither order, where it always gives the same ones for each.
//
// What one after the other fails in the original cannot be told from what its author meant,
// and says nothing; but for a call that does not come to its end, where the patched program's all do
// one after the other: that they did not in the original is perhaps what the patch mends. So is that a call succeeds
// which failed in the original, beside another one that fails in both: what that one had taken is given back.
//
// # Words
//
// The subject of a scenario is the value, or package, whose methods it calls. A donor is the
// test whose lines prepare it. An ordered test makes the calls one after the other.
//
// # Limits
//
// A method is called once or not at all, with two choices of arguments at most. Values that a test makes in
// a loop or a table, by other packages' generators or from files are not carved out of it.
// Functions that may do something to the machine or to others (remove files, start commands,
// connect) are not called: the arguments are made. Types and methods that their documentation reserves for
// one goroutine, methods for the time before a value is used, and setters without a lock are not called.
// Contexts do not end. Races of a wait group's Add with its Wait do not count. Results that hold pointers,
// channels or times are compared by whether they are nil, and words that look random not at all.
//
// # Example
//
//	suite := scenario.Make(program, scenario.Touched(program, patched))
//	drivers, err := scenario.Open(ctx, tool, program, suite)
//	...
//	defer drivers.Close()
//	objections, err := drivers.Try(ctx, patched, 5*time.Second)
package scenario
