// Package channelflow finds which expressions of a program may be the same
// channel, and lists what the program does with each channel.
//
// Whoever edits an operation on a channel has to know the other end, which has
// another name there: a parameter, a field, a result.
//
//	func start() *server {
//		s := &server{in: make(chan int)}   // make
//		go s.serve()
//		return s
//	}
//	func (s *server) serve() { for n := range s.in { ... } }   // range
//	func feed(to chan<- int) { to <- 1 }                       // send
//	func main() { feed(start().in) }
//
// Here s.in, to and the call of make are one [Channel], with three uses.
//
// # Words
//
//   - A node is a set of values that the analysis does not tell apart.
//   - An edge leads from a node to its target: the element of a slice or channel,
//     the key of a map, a parameter or result of a function.
//   - To unify two nodes is to make them one set, and so their targets.
//   - A node escapes if code outside the program knows it; it is foreign if such
//     code made it.
//
// # Method
//
// The analysis unifies both sides of whatever assigns, passes, returns or sends a
// value, in the manner of Bjarne Steensgaard, "Points-to Analysis in Almost
// Linear Time", POPL 1996. It is flow- and context-insensitive: the order of
// statements does not count, and a parameter stands for what any caller gives.
// It departs from the paper in that a field is one node for all values of its
// type, and that values from which no channel can be reached have no node.
//
// The answer errs to one side: two channels may be taken for one, but one is
// taken for two only where values flow in a way that the program's text does not
// show, as through package reflect or a type parameter.
//
// # Use
//
//	index := channelflow.New(program, func(n ast.Node) *Function { return functions[n] })
//	for _, use := range index.Of(info, send.Chan).Receives { ... }
package channelflow
