// Package join waits for goroutines before what they write is used:
//
//	                               var wg sync.WaitGroup
//	for i, u := range urls {       for i, u := range urls {
//		go func() {                    wg.Go(func() {
//			pages[i] = fetch(u)    →       pages[i] = fetch(u)
//		}()                            })
//	}                              }
//	                               // the goroutines write pages
//	                               wg.Wait()
//	return pages                   return pages
//
// It mends results that are read before they are there, and the data races that
// go with it. Tu et al. (Understanding Real-World Concurrency Bugs in Go, ASPLOS
// 2019, section 6) find such order violations among the non-blocking bugs, mended
// by adding or moving synchronisation.
//
// Where the goroutines call Done on a local wait group already, only the Wait
// is put where it belongs: it is added, moved up to the first use of a result,
// or down behind the goroutines. A Wait that waits for goroutines which are not
// yet started, or cannot go on, is package waitmove's.
//
// Otherwise a group is added for all goroutines that are started by one
// statement list and whose results are used behind it, or, if the function does
// not use them itself, before it ends. Before Go 1.25 that takes Add and Done.
//
// One goroutine needs no group; where it is a function literal's and started
// once, a channel that it closes is enough:
//
//	                               done := make(chan struct{})
//	go func() {                    go func() {
//		page = fetch(u)        →       defer close(done)
//	}()                                    page = fetch(u)
//	                               }()
//	                               // the goroutine writes page
//	                               <-done
//	return page                    return page
//
// The channel is tried first, unless the function has wait groups for other
// goroutines. A goroutine started in a loop or branch that the use is outside of
// gets a group: its channel would not be in scope there, or never closed.
//
// A goroutine that receives until a channel is closed ends some time after that:
//
//	close(results)                close(results)
//	                          →   // out is complete when the goroutine has ended
//	                              <-done
//	return out                    return out
//
// So does one that belongs to a value and runs a method of it: then the value gets a channel
// that the method closes as it returns.
//
// Where a goroutine of a value closes a channel of it as it ends, a method that tells it to end
// waits for that, before it waits for anything else:
//
//	close(s.quit)                 close(s.quit)
//	                         →    <-s.done // loop may still do something
//	s.running.Wait()              s.running.Wait()
//
// A group may be in a field, beside what its goroutines write. Then a method of its
// owner that does nothing with the group, or a function that uses another field of the
// owner and has not counted anything, waits first, but behind what tells the goroutines
// to end (a cancel function, a closed channel without values, a flag):
//
//	                          c.wg.Wait()
//	return c.value      →     return c.value
//
// Left out are goroutines
//   - that do not write a shared variable,
//   - that go on for ever, or until a channel is closed by their starter, but not before the use,
//   - that send on or close a channel which is received from before the use,
//   - whose call, if it is no function literal's, would mean something else later,
//   - that a goto jumps over, where nothing may be declared in front of them.
package join
