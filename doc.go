// Package mendel mends concurrency bugs in Go programs by genetic search.
package mendel
