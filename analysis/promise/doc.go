// Package promise reads what documentation promises: that the code which is called may call back, that changes are
// told in their order, that a function waits for what it ends.
//
//	if promise.CallsBack(promise.Of(file, objects...)) { … }
//
// Documentation is prose: the words that such promises are made of are looked for, and a promise in other words is not
// seen. Nothing is refused for a promise that was not found.
package promise
