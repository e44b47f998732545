// Package mutatetest tests operators by golden archives.
//
// An archive holds the source of a package and, for each edit that the
// operator offers there, a description and the whole files it gives, or the
// reason for its refusal:
//
//	A transfer locks the sender only.
//
//	shared: Account.amount
//	-- in.go --
//	package bank
//	...
//	-- edit 1 --
//	in.go:14 (*Account).Transfer, 1 statement, lock to.mu, guards Account.amount
//	-- edit 1/in.go --
//	package bank
//	...
//
// [Run] takes the archives of an operator, [RunWith] those of one whose edits stand for
// those of others. TestOperators of package mutate does so for all operators. Beside the comparison it proves of each
// mutant that it parses, is a fixed point of gofmt, type-checks, and passes
// vet's copylocks. Package documentation of the format: testdata/README.md.
package mutatetest
