// Package locked is for functions that take a lock which their callers could hold as well: what
// they do under it, who calls them, and variants of them that take none.
//
//	func (b *Buffer) Len() int {          func (b *Buffer) Len() int {
//		b.mu.Lock()                           b.mu.Lock()
//		defer b.mu.Unlock()            →      defer b.mu.Unlock()
//		return b.count                        return b.lenLocked()
//	}                                     }
//
//	                                      // lenLocked is Len for callers that hold b.mu.
//	                                      func (b *Buffer) lenLocked() int {
//	                                          return b.count
//	                                      }
package locked
