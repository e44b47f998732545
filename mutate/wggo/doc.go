// Package wggo starts a goroutine with the Go method of its wait group, which
// calls Add before the goroutine and Done after it:
//
//	go func() {            wg.Go(func() {
//		wg.Add(1)              load()
//		load()         →   })
//		wg.Done()          wg.Wait()
//	}()
//	wg.Wait()
//
// It mends at once what packages addbeforego and deferdone mend one by one: an
// Add that Wait may come before, and a Done that is missing or not reached on
// some path (Tu et al.,
// Understanding Real-World Concurrency Bugs in Go, ASPLOS 2019, sections 5 and
// 6). The method came with Go 1.25; where go.mod or the file ask for an older
// version nothing is offered.
//
// The Add must be one of 1 and stand right before the go statement or first in
// the goroutine; if it is missing altogether, the group must be a local variable
// that is nowhere added to.
//
// Left out is a goroutine
//   - whose Add and Done are right,
//   - that is no function literal, or one with parameters or results,
//   - that goes on after Done, or calls it in a function literal.
package wggo
