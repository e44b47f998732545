// Package frugal lets a command use less memory where it uses much. The collector lets a
// heap grow to twice what is in use; while that is a few megabytes it is cheap, and of a
// program of a hundred thousand lines it is a quarter of a gigabyte of garbage. So a
// large heap is collected more often. A command says so when it starts:
//
//	func main() {
//		frugal.Heap()
//		...
//	}
//
// What somebody has set in the environment stays.
package frugal
