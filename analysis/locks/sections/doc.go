// Package sections lists the critical sections of a function, with all that runs in each ([Of]).
// Only what is held on all paths counts; what callers hold is left out.
package sections
