// Package donefield is for the operators that give a struct a channel which says, by
// being closed, that its values have ended:
//
//	type hub struct {           type hub struct {
//		in chan int       →     	in   chan int
//	}                           	done chan struct{} // closed when run returns
//	                            }
//	&hub{in: make(chan int)}    &hub{in: make(chan int), done: make(chan struct{})}
//
// [Of] tells whether a type can get one, so that no value of it has a nil channel, and
// [Field.Add] adds it, where it is declared and where it is made.
package donefield
