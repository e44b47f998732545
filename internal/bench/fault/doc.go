// Package fault tells where a fault is, by a copy of the program without it.
//
//	lines, err := fault.Lines("subjects/account", "subjects/account/testdata/fixed")
//	fmt.Println(lines["account.go"]) // [53 54]
package fault
