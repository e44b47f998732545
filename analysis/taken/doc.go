// Package taken finds what functions take from others and do not give back: slots of channels that count, permits of
// semaphores and pools, and values on which others wait for a word.
//
//	for _, l := range taken.Losses(program.Packages) {
//		fmt.Println(l.Func, "leaves without", l.Give)
//	}
//
// Who takes and who gives back need not be one function: a slot that a successful call hands to its caller is given
// back by a method of what it returns. That the failing ways out have to give it back themselves is known from the
// others: some function gives it back, and what fails returns nothing that could.
//
// There are three ways to lose it:
//
//   - a way out that fails, behind the taking, gives nothing back ([Losses]);
//   - so does one that gives up waiting at what it has received, where a function that receives from the same channel,
//     or calls the same function, says so by a call of the value ([Losses]);
//   - code of others is called between the taking and the giving back, and panics ([Risks]).
//
// # Limits
//
// A resource is known by the field or variable that it is, not by its value. A function that is called gives back what
// its text, or that of a function which it calls, gives back, whenever that is. Channels of messages are no resources:
// their elements are empty or boolean, but for what is received and sent back by the same function.
package taken
