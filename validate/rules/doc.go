// Package rules says what speaks against a fix, by its source alone. Nothing is built or run.
//
//	said, err := rules.Object(program, mutant)
//	if said.Refused() {
//		fmt.Println(strings.Join(said.Why, "\n"))
//	}
//
// # Rules
//
// A fix must remove the cause of a failure, not what fails. Each [Rule] names a way to hide a
// failure, and what breaks one is no fix ([Breach]). [Rules] is the table, with what decides each;
// docs/rules.md is made from it. The model checker decides dropped-message and a part of spin, in
// package validate.
//
// A [Change] is compared by effects: calls, assignments that others can see, sends and closes. The
// effects in the changed files are counted in the original and in the mutant, so what has moved is
// not gone. The comparison is approximate and in doubt refuses less: a call is the same whatever its
// arguments. effects.go collects them, compare.go compares. What people do otherwise than edits is
// in reads.go, variables.go, ways.go, guards.go and filled.go.
//
// Where only locks are held otherwise the program does what it did ([Change.OnlyLocks]). The syntax of
// functions is compared for that, without statements that only acquire or release a lock, by types:
// a method named Lock is one of a lock if its type has Unlock too, and neither has parameters or results.
//
// # Flags
//
// Flags are reasons to prefer other fixes. [Flags] is the table of all, with what each means, who gives
// it, how grave it is, and whether a fix with it is a workaround. [Change.Findings] are those that the
// model of locks (analysis/locks) and package halves give, with the places.
package rules
