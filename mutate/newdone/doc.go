// Package newdone lets a goroutine give up its channel operations when the
// function at their other end has returned, by a new channel that this one closes:
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
// Where the function waits for a goroutine that sends before it returns, as by a WaitGroup, the
// channel is closed in front of that wait.
//
// The form loop is for those who send to a value from which one function receives in a
// loop: a method, a function that is given the value, or a literal that knows it. The
// channel is a new field of the value:
//
//	func (h *hub) Run(ctx context.Context) {           func (h *hub) Run(ctx context.Context) {
//		for {                                      	defer close(h.done)
//			select {                           	for {
//			case l := <-h.leave:            →  		select {
//				...                                 ...
//
//	func (l *listener) Close() {                       func (l *listener) Close() {
//		l.hub.leave <- l                           	select {
//	}                                                  	case l.hub.leave <- l:
//	                                                   	case <-l.hub.done:
//	                                                   	}
//	                                                   }
//
// Who sends before the loop runs waits for it as before. A function with an error result
// returns the error that package selectdone would. Left out are loops that are called in
// several places or in a loop, that never end, or that close such a channel already;
// channels that others receive from or close; and types that cannot get the field, as in
// package closedone. A composite edit gives up all operations at which goroutines were
// seen waiting.
//
// Left out are goroutines without such an operation; operations behind which the
// goroutine could not be left; and functions that are named elsewhere, exported,
// variadic, or methods that an interface may ask for.
package newdone
