// Package schema puts several mutants of a program into one executable (mutant schemata:
// Untch, Offutt and Harrold, 1993; mutation switching in MAJOR): each function that some
// mutant changes stands there once as it is, and once for each other text. Which one runs
// is chosen when the process starts, see package variant.
//
//	func (a *Account) Deposit(n int) { switch zzvariant.Chosen[0] { case 1: /*line :71:34*/{
//		... // as the first program has it
//	; return }; }; /*line :36:35*/
//		... // as it is
//	}
//
// The variants are in the function itself, so that code which looks at its own frames sees
// what it sees in a build of the program alone. Lines of variants follow those of the file,
// as if they stood at its end: so each line is that of one declaration, and a [Member] makes
// of it the line that it has in its program. It does so with the names of closures, and of the
// bodies of loops over functions, too.
//
// Fields and package variables that programs add are declared for all of them. So
// a program that prints a structure, or asks for its size, sees fields that edits of others
// have added. And the compiler defers calls in another way where there are many in a function:
// one that is made at a return statement then has the line of the function's end. And it
// inlines functions with variants less: the name of a function literal tells which functions
// it was inlined through, and the race detector places some accesses of what is inlined at the
// call. So these differ, unless nothing is inlined (-gcflags=-l).
//
// A program that declares something otherwise than the first, such as a field of another type,
// does not fit. But others that declare it so, too, fit into a schema in which it is the first:
// [Groups] finds these.
//
// Texts are combined after they were rewritten: what rewrites them, be it for the model
// checker or for noise, is a [Source].
//
//	s, err := schema.New(source, programs)
//	...
//	overlay := maps.Clone(united); maps.Copy(overlay, s.Files) // and build
//	env := variant.Env + "=" + variant.Format(s.Members[i].Choices)
//	...
//	text := s.Members[i].Text(output) // as if the program had been built alone
package schema
