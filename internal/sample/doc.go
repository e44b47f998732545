// Package sample is for tests that sweep more than somebody who changes Mendel waits for:
// random programs, every archive of a corpus, repairs of whole modules. Such a test takes a
// part, always the same one, unless it is asked for all:
//
//	MENDEL_TESTS=whole go test ./...
//
// All of it is taken, too, when -run names one of its subtests. What is not in the part is not lost: .ci/run --whole
// takes all of it. A test says so where it draws:
//
//	for _, dir := range sample.Of(3, dirs) { ... }   // three of them, evenly spread
//	for seed := range sample.Count(20, 100) { ... }  // twenty of a hundred
//	sample.Whole(t, "TestResume repairs it, too")    // none of it: what sees the same
//
// A part is chosen so that it still notices what the whole was made to notice:
// .ci/planted changes lines of the product, and says which of them no test has seen.
package sample
