// Package order says in which order a program takes its locks ([Edges], [Nests]), which of them
// it takes in a circle ([Rings]), and whether a mutant takes two in an order that may close a
// ring, and that the original does not have there ([NestsMore]).
package order
