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
// The forms stages and context are for pipelines: goroutines that hand values on to one
// another, and that a function, the reader, starts by itself or by calling others. It may
// return before it has read all:
//
//	func first(p []string) string {                func first(p []string) string {
//	                                               	done := make(chan struct{})
//	                                               	defer close(done)
//		for l := range long(lines(p)) {         →  	for l := range long(done, lines(done, p)) {
//			return l                                	return l
//
//	func lines(p []string) <-chan string {         func lines(done <-chan struct{}, p []string) <-chan string {
//		...                                            ...
//		go func() {                                    go func() {
//			...                                            select {
//			out <- l                                       case out <- l:
//			                                               case <-done:
//			                                               	return
//			                                               }
//
// One edit gives the new channel to all: who is started, and who is called on the way there.
// If the readers have a context it is that, with a cancel of their own; one that they derive
// and cancel already is taken as it is. Each operation at which a goroutine might wait for
// ever then is given up: sends, and receives from channels that nobody is sure to close. A
// goroutine that closes a channel, or calls Done, at its end leaves its loop rather than
// returning. Sends for which there is always room stay, as one error does in a channel of
// errors. Several readers of the same stages all get an end. One that waits for the goroutines
// when it has read what it wants tells them before.
//
// Left out are pipelines of which others, tests among them, read or write a channel, or
// name a function that would need the parameter; readers that take all there is; goroutines
// whose values come to no reader; and those that wait in the middle of a larger statement.
//
// Left out are goroutines without such an operation; operations behind which the
// goroutine could not be left; and functions that are named elsewhere, exported,
// variadic, or methods that an interface may ask for.
package newdone
