// Package ordercopy puts a copy of package order into a module, so that its tests can
// state orders, and go.mod and go.sum stay as they are. The copy is internal/order. Each of its
// files says of which version of Mendel it is, under which licence, and what its own text
// was: a copy that somebody has edited is never overwritten, and one of another version is.
package ordercopy
