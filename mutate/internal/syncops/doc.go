// Package syncops says which synchronisation a statement does ([Of]): a send,
// receive or close, a call of a wait group, condition variable or lock, the
// start of a goroutine, or the release of a resource. It is for the operators
// that move, add or defer such statements.
//
//	close(results)   →   Operation{Kind: Close, On: results}
//	defer wg.Done()  →   Operation{Kind: Done, On: wg}
package syncops
