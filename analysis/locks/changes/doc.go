// Package changes finds what a changed program makes wrong with its locks, or mends at some places
// only ([Find]).
//
// What is reported is judged by the original, not by a rule of what is good: a use
// without a lock is left out because the change puts the lock around other uses; a wait
// under a lock counts because it was not under it before. The identity of variables and
// locks is that of their names, so a change that renames them is judged less.
package changes
