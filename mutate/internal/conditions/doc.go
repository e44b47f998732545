// Package conditions finds the calls that functions make on condition
// variables; it is what the operators on them share. Method values, as in f :=
// c.Signal, and method expressions are left out.
package conditions
