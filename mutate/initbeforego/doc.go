// Package initbeforego sets before a go statement what the new goroutine sets first:
//
//	func (t *Ticker) Start() {             func (t *Ticker) Start() {
//		go t.run()                         	// set before the goroutine starts, which may be late
//	}                                  →   	t.stop = make(chan struct{})
//	                                       	go t.run()
//	func (t *Ticker) run() {               }
//		t.stop = make(chan struct{})
//		for {                              func (t *Ticker) run() {
//			...                            	for {
//
// It mends order violations and the races beside them: who started the goroutine
// goes on at once, and Stop may close a channel that is not made yet, wait at nil
// for ever, or use what the last goroutine has left. Lu et al. (Learning from
// Mistakes, ASPLOS 2008) find that about a third of the non-deadlock bugs of real
// programs violate an order that was taken for granted. CORE has no counterpart: its
// mutations are about locks, which keep no order.
//
// What moves are assignments to fields, captured variables and variables of the
// package, at the beginning of a function literal or of a declared function. They go before
// each statement that starts the function, with what that one gives in the place of receiver
// and parameters. Deferred calls, and variables of the goroutine's own that get a value
// without effects, may come before them and stay.
//
// In a second form the goroutine also gets the channel that is moved, as a parameter, and no
// longer reads the field, which may be set again for the next goroutine:
//
//	t.stop = make(chan struct{})           // set before the goroutine starts, which may be late
//	for {                                  t.stop = make(chan struct{})
//		select {                       →   go t.run(t.stop)
//		case <-t.stop:
//
// What the goroutine begins with may fail (form failing): who starts it does that first, and returns the
// error, if it returns one:
//
//	s.wg.Add(1)                            ln, err := net.Listen("tcp", s.addr)
//	go func() {                            if err != nil {
//		defer s.wg.Done()                  	return err
//		ln, err := net.Listen(...)         }
//		if err != nil {                    s.ln = ln
//			log.Print(err)             →   s.wg.Add(1)
//			return                         go func() {
//		}                                  	defer s.wg.Done()
//		s.ln = ln                          	s.serve()
//		s.serve()                          }()
//	}()
//
// Left out are
//   - functions that are also called plainly, used as a value, may be called through an
//     interface or from outside of the program, or that something starts which cannot be edited,
//   - assignments behind anything else, or behind what needs the value that was there before,
//   - those with an operator, x += 1, and values made of what is assigned,
//   - values that name what belongs to the goroutine, or that are more than names,
//     constants, literals, make, new and calls that are known to have no effect,
//   - parameters, fields of those that are no pointers (the goroutine has its own copy), and *p,
//   - what nothing else in the program uses,
//   - starts that give an expression without a name, or name what is assigned,
//   - names that mean something else where the goroutine is started,
//   - goroutines that do nothing else.
package initbeforego
