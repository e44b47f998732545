// Package copyarg gives a goroutine a copy of a variable that it captures,
// made when it starts:
//
//	for _, job = range jobs {         for _, job = range jobs {
//		wg.Add(1)                     	wg.Add(1)
//		go func() {                   	// job changes while the goroutine runs: pass it
//			defer wg.Done()        →  	go func(job Job) {
//			run(job)                  		defer wg.Done()
//		}()                           		run(job)
//	}                                 	}(job)
//	                                  }
//
// It mends data races by captured variables: a goroutine reads a variable
// after its starter has given it the next value, or while it does. Of the 86
// non-blocking bugs of a study of Go programs eleven were anonymous functions
// sharing a local variable with what starts them (Tu et al., Understanding
// Real-World Concurrency Bugs in Go, ASPLOS 2019, section 6.1); making the
// data private is how such bugs are fixed there. Since Go 1.22 a loop's own
// variables are new in each iteration; those declared outside of it, and
// everything in modules that ask for an older language, are not.
//
// The copy is an argument of the go statement, several variables at once if
// there are several. Where there is no go statement (sync.WaitGroup.Go,
// errgroup, time.AfterFunc, parallel subtests) or the type cannot be written,
// it is a variable of the same name declared in front, x := x, provided that
// nothing behind the start uses the outer one. A composite edit copies a
// variable for all goroutines that capture it.
//
// Where the turns of a loop share its variables and one of them is handed on by its
// address, or in a function literal that somebody keeps, each turn gets its own:
//
//	for _, u := range users {         for _, u := range users {
//		                              	// before Go 1.22 all turns share u
//		                          →   	u := u
//		go load(&u)                       	go load(&u)
//	}                                 }
//
// What a function makes for its goroutine and stores in a field is another one after the next start. The
// goroutine uses a variable for it:
//
//	                                // s.done may be another one when the goroutine uses it
//	                                done := make(chan struct{})
//	s.done = make(chan struct{})    s.done = done
//	go func() {                 →   go func() {
//		defer close(s.done)         	defer close(done)
//		...                         	...
//	}()                             }()
//
// A method that a go statement runs, and nobody else calls, gets such fields as parameters:
//
//	                                // m.quit may be another one when the goroutine uses it
//	                                quit := make(chan struct{})
//	m.quit = make(chan struct{})    m.quit = quit
//	go m.loop()                 →   go m.loop(quit)
//
// Left out are variables
//   - that the goroutine does not read before it writes them: package shadowerr gives it its own,
//   - whose new value is read outside, where the copy would not arrive,
//   - whose change a loop of the goroutine waits for,
//   - that nobody outside changes once the goroutine runs,
//   - whose address is taken, but for a loop's, or whose type holds a lock.
package copyarg
