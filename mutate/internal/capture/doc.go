// Package capture finds what function literals that run in goroutines of
// their own use of the functions around them, for the operators that give a
// goroutine something of its own: copyarg, shadowerr and clonemap.
//
// A captured variable is one variable for both sides. Whether a goroutine may
// have one of its own shows in three questions:
//
//   - does it need the value from outside ([Variable.Needs]),
//   - does what is outside need the value it writes ([Variable.Feeds]),
//   - is the variable given another value while the goroutine may run ([Variable.Changes]).
//
// They are answered by the text. A write feeds a read that stands behind it in
// the same list of statements, or in the statement whose init or range clause it
// is: such a read sees no older value. What else is passed between them, by a
// lock or channel, is not examined.
package capture
