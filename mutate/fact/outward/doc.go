// Package outward tells which functions code of other packages reaches.
//
// An exported method is often one line that calls the method that does the work. What is true of
// exported functions, that their results leave the package, is true of such a method as well:
//
//	if outward.Results(fn) { // what fn returns is used by code that nobody has seen
package outward
