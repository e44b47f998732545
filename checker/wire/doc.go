// Package wire is the protocol between the checker and the program under test:
// a request in a file, answers as lines of JSON in another.
//
// The checker writes a [Request], names its file in the environment variable
// [Env] and starts the instrumented test binary with -test.run=^TestZzMendel$.
// The driver in it appends each [Answer] to Request.Answers at once, so that
// answers survive a program that is killed:
//
//	{"Ready":{"Planted":"","Missing":null}}
//	{"Found":{"Test":"TestTransfer","Failure":{...}}}
//	{"Test":{"Name":"TestTransfer","Verdict":"failed",...}}
//	{"Test":{"Name":"TestRead","Verdict":"exhausted",...}}
//	{"Done":true}
//
// Ready comes first. If Ready.Planted is not empty, the self-check failed and
// success proves nothing. Then follows a Test for each test, or in mode [Replay]
// for each schedule, after the Found of its failures. Done is last: where it is
// missing, the process ended early.
//
// The program's own output is not part of the protocol; it goes to standard
// output.
//
// The package is compiled into the program under test: standard library and
// package sched only.
package wire
