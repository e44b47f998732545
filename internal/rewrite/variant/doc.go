// Package variant says which variants of functions run, in a program that is several programs
// at once (see package schema). It is compiled into the program under test.
//
//	switch variant.Chosen[3] {
//	default:
//		... // as the function is
//	case 1:
//		... // as the first mutant that changes it has it
//	}
//
// The choice is made when the process starts, by an environment variable, because variables
// of packages are initialised by functions that may have variants.
package variant
