// Package deferdone makes a goroutine call Done of its wait group however it ends:
//
//	wg.Add(1)                         wg.Add(1)
//	go func() {                       go func() {
//		if err := load(); err != nil {    defer wg.Done()
//			return                →       if err := load(); err != nil {
//		}                                     return
//		store()                           }
//		wg.Done()                         store()
//	}()                               }()
//	wg.Wait()                         wg.Wait()
//
// It mends waits that never end because a goroutine returned early, panicked,
// or has no Done at all. Tu et al. (Understanding Real-World Concurrency Bugs in
// Go, ASPLOS 2019, section 5) count misused wait groups among the blocking bugs;
// Liu et al. (GCatch/GFix, ASPLOS 2021) mend what some path of a goroutine
// misses by defer, as people do.
//
// There are these forms. Calls of Done at the end or right before a return are
// replaced by one deferred call at the beginning; a deferred call that comes
// behind an early return is moved there; a single call after which the goroutine
// goes on becomes deferred, too, which mends races of what waits with what comes
// after the call; and a goroutine that an Add counts but that never calls Done gets
// its call. For a group in a field of which no Done is in the whole program, the
// goroutines behind each Add get one, and where there are none the functions that
// are given the field's owner; a composite edit does so wherever there is an Add.
//
// Left out is a function
//   - that no path leaves without Done,
//   - that goes on after several calls of Done,
//   - that calls Done in a loop without ending there, or in a function literal,
//   - that hands the group on, if it has no Done itself.
package deferdone
