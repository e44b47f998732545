// Package rounds finds loops of tests that go round a constant number of times, often enough
// that a schedule of the test is long, and makes them go round less often.
//
//	loops := rounds.Of(program.Packages)
//	loops[0].String() // "TestQueue goes round 409600 times (queue_test.go:79)"
//	files, changes := rounds.Shrink(program.Packages, 100, builds)
//	changes[0].String() // "count is 4096 in place of 409600 (queue_test.go:77)"
//
// The number stands in a test file: in the loop, as the value of a constant, as the one value
// of a variable, or as an argument of a function of test files whose parameter it is. It is
// changed where it stands, so that what the test expects of it follows: a constant has
// another value wherever it is used, and a number in a loop is changed in all of the
// function.
//
//	const count = 100 * segmentSize                 const count = 4096
//	for i := range 100_000 { ... }                  for i := range 1000 { ... }
//	for i := 0; i < n; i++ { ... }                  of hammer(t, 8, 100), in place of hammer(t, 8, 10_000)
//
// # Limits
//
// What a test expects may follow from a number in another way (the sum of the first 100,000
// numbers). Such a test fails when it is shrunk, in each schedule. Numbers in tables are not
// found.
package rounds
