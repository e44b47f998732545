package sample

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

// Variable is the environment variable that asks for all: its value is then "whole".
const Variable = "MENDEL_TESTS"

// All reports whether tests take all that they have. They do when -run names a part of a test
// (-run 'TestCorpus/network'): whoever names it works on it.
func All() bool {
	if run := flag.Lookup("test.run"); run != nil && strings.Contains(run.Value.String(), "/") {
		return true
	}
	switch value := os.Getenv(Variable); value {
	case "":
		return false
	case "whole":
		return true
	default:
		panic(fmt.Sprintf("%s=%s: it is whole, or not set", Variable, value))
	}
}

// Of is a list or, as long as not all is asked for, at most n of it: the first one, and
// others at even distances.
func Of[T any](n int, list []T) []T {
	if All() || len(list) <= n {
		return list
	}
	some := make([]T, n)
	for i := range some {
		some[i] = list[i*len(list)/n]
	}
	return some
}

// Count is how many of some that are made one after the other: few, as long as not all are
// asked for.
func Count(few, whole int) int {
	if All() {
		return whole
	}
	return few
}

// Whole skips a test as long as not all is asked for. The reason says which test of the part
// sees what this one is for.
func Whole(t testing.TB, instead string) {
	t.Helper()
	if !All() {
		t.Skipf("%s=whole takes it; %s", Variable, instead)
	}
}
