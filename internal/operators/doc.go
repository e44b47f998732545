// Package operators lists all operators. The list, all.go, is generated from
// the directories below mutate; an operator that is written is on it.
//
// To add an operator run
//
//	go run ./internal/newop NAME
//
// which starts its directory and brings the list up to date.
package operators

//go:generate go run generate.go
