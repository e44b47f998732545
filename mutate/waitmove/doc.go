// Package waitmove moves the statement in which a function waits for its
// goroutines: wg.Wait(), or a receive whose value is not used.
//
//	for _, p := range plugins {           for _, p := range plugins {
//		go func() {                           go func() {
//			defer wg.Done()                       defer wg.Done()
//			p.init()                    →         p.init()
//		}()                                   }()
//		wg.Wait()                         }
//	}                                     wg.Wait()
//
// It mends a function that waits for goroutines which wait for the function: for
// others that it has not started yet, or for a receive, an unlock or a close that
// comes behind the wait. The first is the misuse of wait groups that Tu et al.
// (Understanding Real-World Concurrency Bugs in Go, ASPLOS 2019, figure 5)
// show. The forms are:
//
//   - out: out of the loop that starts the goroutines,
//   - after: behind a later statement of the same list that a goroutine may need,
//   - before: in front of an earlier close or release, which must wait for the
//     goroutines: a send on a closed channel panics,
//   - go: with the close behind it into a goroutine of its own, so that the
//     function goes on to receive what the goroutines send.
//
// The last gives:
//
//	wg.Wait()            go func() {
//	close(results)   →       wg.Wait()
//	                         close(results)
//	                     }()
//
// Left out are waits in a loop without end, in one that is left by return or
// goto, and moves over a statement that leaves the function, behind the close of a
// channel that others send on, or, upwards, over one that starts a goroutine.
// Waits that are missing are package join's.
package waitmove
