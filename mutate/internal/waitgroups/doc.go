// Package waitgroups finds what functions do with wait groups: which they wait
// for, which goroutines they start and what these do to the same group. It is
// what the operators on wait groups share.
//
// A group is named by its path, as [mutate.Function.Path] has it; a goroutine's
// calls are named as the function that starts it would write them, whether it
// captures the group, is given it, or finds it in its receiver. Groups that no
// path leads to, such as elements of slices, are left out.
package waitgroups
