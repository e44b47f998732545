// Package wire is what the checker and the program under test say to each
// other: a request in a file, answers as lines of JSON in another.
//
// The checker writes a [Request], names its file in the environment variable
// [Env] and starts the instrumented test binary with -test.run=^TestZzMendel$.
// The driver in it appends an [Answer] to Request.Answers as soon as there is
// one, so that what was found survives a program that is killed:
//
//	{"Ready":{"Planted":"","Missing":null}}
//	{"Found":{"Test":"TestTransfer","Failure":{...}}}
//	{"Test":{"Name":"TestTransfer","Verdict":"failed",...}}
//	{"Test":{"Name":"TestRead","Verdict":"exhausted",...}}
//	{"Done":true}
//
// Ready comes first; without it nothing is known, and what Ready.Planted says is
// a reason not to believe in success. A Test follows for each test (in mode
// [Replay] for each schedule), preceded by what was Found of it. Done is last: where it is
// missing, the process ended early.
//
// What the program prints is not part of this; it goes to standard output.
//
// The package is compiled into the program under test: standard library and
// package sched only.
package wire
