// Package newdone lets a goroutine give up its channel operations when the
// function that started it has returned:
//
//	results := make(chan T)
//	                           done := make(chan struct{})
//	                           defer close(done)
//	go func() {             →  go func() {
//	                           	select {
//		results <- ask(server)     	case results <- ask(server):
//	                           	case <-done:
//	                           	}
//	}()                        }()
//	select {                   select {
//	case r := <-results:       case r := <-results:
//	case <-time.After(d):      case <-time.After(d):
//	}                          }
//
// It mends goroutines that leak because the function around them took another
// branch or returned early. This is strategy III of GFix (Liu et al.,
// "Automatically Detecting and Fixing Concurrency Bugs in Go Software Systems",
// ASPLOS 2021, section 4.3), for sends and receives alike and, beyond GFix, for
// goroutines that run a declared function: if that is started in one place only,
// it gets one more parameter.
//
// No message can get lost: an operation is given up only if the channel is made
// by the starting function and nobody else is at its other end. Where the
// goroutine has other operations on channels, these stay as they are. A go
// statement in a loop shares the new channel with those of other iterations.
//
// Left out are goroutines without such an operation; operations behind which the
// goroutine could not be left; and functions that are named elsewhere, exported,
// variadic, or methods that an interface may ask for.
package newdone
