// Package order decides whether constraints on the order of events can be met.
//
// A constraint is a clause: a disjunction of literals. A literal says that one
// event comes before another ([Solver.Before]), or is a free boolean
// ([Solver.Bool]). Events are totally ordered, so the negation of "a before b" is
// "b before a".
//
// The method is DPLL modulo a theory (Nieuwenhuis, Oliveras and Tinelli, "Solving SAT
// and SAT Modulo Theories", JACM 2006) with conflict-driven learning. The theory is
// that an order has no cycle. Each literal that holds is an edge of a graph, whose
// topological order is kept up to date as in Pearce and Kelly, "A Dynamic
// Topological Sort Algorithm for Directed Acyclic Graphs" (JEA 2006): an edge that
// agrees with it costs nothing, and taking edges back never invalidates it. A cycle
// becomes a conflict clause of the literals on it.
//
// The result depends on nothing but the calls. The package imports nothing: it is
// compiled into the program under test.
package order
