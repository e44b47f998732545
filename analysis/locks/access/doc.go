// Package access lists who reads and writes the variables of a program: the fields and package
// variables of its packages, and the local variables that goroutines share ([All]). A [Use] says too
// whether nobody can get in its way: the value has just been made, the goroutines that share it
// have not begun, or are waited for.
package access
