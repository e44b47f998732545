// Package releaseonce lets a resource be released once: a slot of a semaphore, what a pool
// hands out, one of a wait group's count, a lock.
//
//	o.slots <- struct{}{}                o.slots <- struct{}{}
//	go func() {                          go func() {
//		defer o.leave()                  	defer o.leave()
//		ready <- bake()                  	ready <- bake()
//	}()                                  }()
//	select {                             select {
//	case <-ready:                    →   case <-ready:
//	case <-ctx.Done():                   case <-ctx.Done():
//		o.leave()                        	return ctx.Err()
//		return ctx.Err()                 }
//	}
//
// It mends resources that are released by a deferred call, or by a goroutine or a callee
// that has them, and once more on a path. A slot too many lets in more than may be, or takes
// that of another, who then waits for ever to give it back; a pool overflows, or hands out
// one thing to two; a wait group panics or is waited for too short; an unlock of an unlocked
// mutex ends the process. The forms are:
//
//   - remove: the release goes that comes when another one is certain: the explicit one, the
//     one of a caller whose callee or goroutine releases by itself, or the one in a branch
//     that runs on to a release behind it,
//   - everywhere: the same in all functions that release one field or package variable twice.
//     The source shows each of them, whether or not the tests come there,
//   - callee: a function no longer releases what all its callers release by a defer statement,
//   - once: where there is more to do behind the explicit release, it is there on purpose, and
//     so is the deferred one, for other paths; both call a sync.OnceFunc (Go 1.21).
//
// Functions and literals that release for certain are seen through, a few calls deep. An if
// that had nothing else to do goes with the release.
//
// Left out are
//   - what is taken again, between the two or behind the release, as where a lock is released
//     for a while, and releases of what was not taken before, but for wait groups,
//   - releases by goroutines or functions that may leave before them,
//   - what is taken in several places, or in a loop that the releases are behind, and wait
//     groups of which more than one is added at once,
//   - channels without room, that are closed or ranged over, or that carry messages: a
//     semaphore gets constants and nobody looks at what is received,
//   - functions that hand a release to others as a value.
package releaseonce
