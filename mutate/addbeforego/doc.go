// Package addbeforego counts a goroutine in a wait group before it is started:
//
//	                        // count the goroutine before it starts: Wait may be first
//	go func() {             wg.Add(1)
//		wg.Add(1)       →   go func() {
//		defer wg.Done()         defer wg.Done()
//		work()                  work()
//	}()                     }()
//	wg.Wait()               wg.Wait()
//
// It mends waits that return too early, and the panics that follow: Wait may be
// called before the goroutine has come to its Add, and returns at once. The
// documentation of sync.WaitGroup asks for the order; Tu et al. (Understanding
// Real-World Concurrency Bugs in Go, ASPLOS 2019, section 6.1) find it violated
// among the non-blocking bugs of real programs, and that people mend it so.
//
// There are six forms. In the first the Add is in the goroutine, whether that
// is a function literal or a function that nobody else uses. In the second it
// stands behind the go statement:
//
//	go work(&wg)   →   wg.Add(1)
//	wg.Add(1)          go work(&wg)
//
// In the third an Add(1) stands before the loop that starts many goroutines,
// each of which calls Done, so that the counter becomes negative:
//
//	wg.Add(1)                  for _, j := range jobs {
//	for _, j := range jobs {       wg.Add(1)
//		go work(j, &wg)    →       go work(j, &wg)
//	}                          }
//
// In the fourth the number is wrong, and Wait returns never, or too early:
//
//	wg.Add(2)      →   wg.Add(1)
//	go work(&wg)       go work(&wg)
//	wg.Wait()          wg.Wait()
//
// In the fifth a group counts the values of a queue: who puts one in calls Add, and who has
// taken one out calls Done. A value that its taker sends to the queue again, as to retry, is
// counted again, or the counter becomes negative, and Wait returns while it is under way:
//
//	defer q.wg.Done()      defer q.wg.Done()
//	if run(j) != nil { →   if run(j) != nil {
//	                       	q.wg.Add(1)
//		q.jobs <- j        	q.jobs <- j
//	}                      }
//
// In the sixth a function begins with the Add that is called in several ways, in a new goroutine and at
// once. All who call it count it:
//
//	                        // count the goroutine before it starts: Wait may be first
//	                        s.wg.Add(1)
//	go s.dir(child)     →   go s.dir(child)
//
//	func (s *scanner)       func (s *scanner)
//	    dir(name string) {      dir(name string) {
//		s.wg.Add(1)             defer s.wg.Done()
//		defer s.wg.Done()       ...
//
// Where the goroutine may be left before its Add, the Done that is deferred behind it comes first then:
//
//	go func() {                 wg.Add(1)
//	                            go func() {
//	                                defer wg.Done()
//		if name == "" {         if name == "" {
//			return      →           return
//		}                       }
//		wg.Add(1)
//		defer wg.Done()
//
// Left out is an Add
//   - that is not made on every path of the goroutine, but in a branch or loop, or behind an exit
//     if the Done is not deferred right behind it,
//   - whose number the starting function cannot write, or that changes between the two places,
//   - of a group that the starting function has no name for.
package addbeforego
