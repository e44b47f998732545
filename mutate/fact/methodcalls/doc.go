// Package methodcalls finds where a function calls methods of a type.
package methodcalls
