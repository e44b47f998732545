// Package net has what stands for functions of the standard library's package of
// that name in a program under test: [Pipe], which works under control of the
// scheduler.
package net
