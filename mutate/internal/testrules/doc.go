// Package testrules says what must stay of a file of tests. A test is the specification: how its
// goroutines synchronise may be edited, what it does and asserts may not.
//
//   - No statement of a test is deleted, nor does one more leave it early. What
//     a test is are its function and its subtests; the goroutines that it starts
//     are not.
//   - Assertions stay as they are and where they are: calls of the methods of
//     *testing.T and the like, calls that are given one, what decides about
//     them in an if or switch, and comparisons in a test's own statements.
//
// The tests are package mutate's, which asks: TestIncludeTests, TestAssertionsStay.
package testrules
