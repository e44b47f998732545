// Package channels is what the operators share that edit channel operations: it
// finds the operations ([Ops]), the channels that say that waiting is over
// ([Ends]) and how a function may go on then ([Ways]), and makes an operation a
// case of a select ([Wrap]).
package channels
